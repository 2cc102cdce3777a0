/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Context switch and stacks; see coro.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef HAVE_VALGRIND_VALGRIND_H
#include <valgrind/valgrind.h>
#else
#define VALGRIND_STACK_REGISTER(low, high) 0
#define VALGRIND_STACK_DEREGISTER(id) ((void)(id))
#endif

#if defined(__SANITIZE_ADDRESS__)
#define CORO_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CORO_ASAN 1
#endif
#endif
#ifdef CORO_ASAN
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

#include "sim/coro.h"

#define CORO_CANARY	0x6b6f726f6361e5ull
#define CORO_GUARD_SIZE	4096u
#define CORO_PITCH	(CORO_STACK_SIZE + CORO_GUARD_SIZE)
#define CORO_STAGGER	64u	/* tops differ by a line: no cache aliasing */

#if defined(__x86_64__)

/* void coro_swap(void **save_sp, void *load_sp) */
__asm__(".text\n"
	".p2align 4\n"
	".type coro_swap,@function\n"
	"coro_swap:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	popq %rcx\n"
	"	jmp *%rcx\n"
	".size coro_swap,.-coro_swap\n"
	".type coro_start,@function\n"
	"coro_start:\n"
	"	movq %r13, %rdi\n"
	"	xorl %ebp, %ebp\n"
	"	call *%r12\n"
	"	ud2\n"
	".size coro_start,.-coro_start\n");

static void *coro_frame(char *top, void (*fn)(void *), void *arg)
{
	extern char coro_start[];
	void **sp = (void **)top;

	*--sp = NULL;			/* the stack stays 16-aligned */
	*--sp = NULL;
	*--sp = coro_start;		/* popped into rcx */
	*--sp = NULL;			/* rbp */
	*--sp = NULL;			/* rbx */
	*--sp = (void *)fn;		/* r12 */
	*--sp = arg;			/* r13 */
	*--sp = NULL;			/* r14 */
	*--sp = NULL;			/* r15 */
	return sp;
}

#elif defined(__aarch64__)

__asm__(".text\n"
	".p2align 4\n"
	".type coro_swap,%function\n"
	"coro_swap:\n"
	"	sub sp, sp, #176\n"
	"	stp x19, x20, [sp, #0]\n"
	"	stp x21, x22, [sp, #16]\n"
	"	stp x23, x24, [sp, #32]\n"
	"	stp x25, x26, [sp, #48]\n"
	"	stp x27, x28, [sp, #64]\n"
	"	stp x29, x30, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #0]\n"
	"	ldp x21, x22, [sp, #16]\n"
	"	ldp x23, x24, [sp, #32]\n"
	"	ldp x25, x26, [sp, #48]\n"
	"	ldp x27, x28, [sp, #64]\n"
	"	ldp x29, x30, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	add sp, sp, #176\n"
	"	br x30\n"
	".size coro_swap,.-coro_swap\n"
	".type coro_start,%function\n"
	"coro_start:\n"
	"	mov x0, x20\n"
	"	mov x29, xzr\n"
	"	blr x19\n"
	"	brk #1\n"
	".size coro_start,.-coro_start\n");

static void *coro_frame(char *top, void (*fn)(void *), void *arg)
{
	extern char coro_start[];
	u64 *sp = (u64 *)(top - 176);

	memset(sp, 0, 176);
	sp[0] = (u64)fn;		/* x19 */
	sp[1] = (u64)arg;		/* x20 */
	sp[11] = (u64)coro_start;	/* x30 */
	return sp;
}

#else
#include <ucontext.h>
#define CORO_UCONTEXT 1
#endif

int coro_arena_init(struct coro_arena *a, u32 nr_stacks)
{
	a->nr = 0;
	a->nr_max = nr_stacks;
	a->size = (size_t)nr_stacks * CORO_PITCH;
	a->base = mmap(NULL, a->size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (a->base == MAP_FAILED) {
		a->base = NULL;
		return -ENOMEM;
	}
	return 0;
}

void coro_arena_free(struct coro_arena *a)
{
	if (a->base)
		munmap(a->base, a->size);
	a->base = NULL;
}

static char *coro_arena_get(struct coro_arena *a)
{
	char *low = a->base + (size_t)a->nr * CORO_PITCH;

	if (a->nr < CORO_NR_GUARDS_MAX)
		mprotect(low, CORO_GUARD_SIZE, PROT_NONE);
	a->nr++;
	low += CORO_GUARD_SIZE;
	*(u64 *)low = CORO_CANARY;
	return low;
}

#ifndef CORO_UCONTEXT

extern void coro_swap(void **save_sp, void *load_sp);

#ifdef CORO_ASAN
struct coro_first {		/* first entry has to finish ASan's switch */
	void (*fn)(void *);
	void *arg;
};

static void coro_first_entry(void *p)
{
	struct coro_first *f = p;

	__sanitizer_finish_switch_fiber(NULL, NULL, NULL);
	f->fn(f->arg);
}
#endif

void coro_init(struct coro *c, struct coro_arena *a, void (*fn)(void *),
	       void *arg)
{
	char *low = coro_arena_get(a);
	char *top = low + CORO_STACK_SIZE - (a->nr % 16) * CORO_STAGGER;

	memset(c, 0, sizeof(*c));
	c->stack = low;
	c->stack_size = CORO_STACK_SIZE;
	c->canary = true;
#ifdef CORO_ASAN
	struct coro_first *f = (struct coro_first *)(low + sizeof(u64));

	f->fn = fn;
	f->arg = arg;
	fn = coro_first_entry;
	arg = f;
#endif
	c->sp = coro_frame(top, fn, arg);
	c->valgrind_id = VALGRIND_STACK_REGISTER(low, low + CORO_STACK_SIZE);
}

void coro_fini(struct coro *c)
{
	VALGRIND_STACK_DEREGISTER(c->valgrind_id);
}

void coro_switch(struct coro *from, struct coro *to)
{
#ifdef CORO_ASAN
	__sanitizer_start_switch_fiber(&from->fake_stack, to->stack,
				       to->stack_size);
#endif
	coro_swap(&from->sp, to->sp);
#ifdef CORO_ASAN
	/* whoever comes back here: only the main stack learns its bounds */
	__sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
#endif
}

#else /* CORO_UCONTEXT */

struct coro_uc {
	ucontext_t uc;
	void (*fn)(void *);
	void *arg;
};

static void coro_uc_entry(unsigned int hi, unsigned int lo)
{
	struct coro_uc *u = (void *)(uintptr_t)(((u64)hi << 32) | lo);

	u->fn(u->arg);
}

void coro_init(struct coro *c, struct coro_arena *a, void (*fn)(void *),
	       void *arg)
{
	char *low = coro_arena_get(a);
	struct coro_uc *u = calloc(1, sizeof(*u));
	u64 p = (u64)(uintptr_t)u;

	memset(c, 0, sizeof(*c));
	c->stack = low;
	c->stack_size = CORO_STACK_SIZE;
	c->canary = true;
	c->sp = u;
	if (!u)
		abort();
	u->fn = fn;
	u->arg = arg;
	getcontext(&u->uc);
	u->uc.uc_stack.ss_sp = low + sizeof(u64);
	u->uc.uc_stack.ss_size = CORO_STACK_SIZE - sizeof(u64);
	u->uc.uc_link = NULL;
	makecontext(&u->uc, (void (*)(void))coro_uc_entry, 2,
		    (unsigned int)(p >> 32), (unsigned int)p);
}

void coro_fini(struct coro *c)
{
	free(c->sp);
	c->sp = NULL;
}

void coro_switch(struct coro *from, struct coro *to)
{
	if (!from->sp)
		from->sp = calloc(1, sizeof(struct coro_uc));
	if (!from->sp)
		abort();
	swapcontext(&((struct coro_uc *)from->sp)->uc,
		    &((struct coro_uc *)to->sp)->uc);
}

#endif

void coro_init_main(struct coro *c)
{
	memset(c, 0, sizeof(*c));
#ifdef CORO_ASAN
	/* ASan wants to know the bounds of a stack that is switched to */
	pthread_attr_t attr;
	void *low = NULL;
	size_t size = 0;

	if (!pthread_getattr_np(pthread_self(), &attr)) {
		pthread_attr_getstack(&attr, &low, &size);
		pthread_attr_destroy(&attr);
	}
	c->stack = low;
	c->stack_size = size;
#endif
}

bool coro_canary_ok(const struct coro *c)
{
	return !c->canary || *(const u64 *)c->stack == CORO_CANARY;
}
