/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CORO_H
#define SIM_CORO_H
/*
 * Stackful coroutines, so that model code is straight-line C.
 *
 * coro_switch() saves the callee-saved integer registers and the stack pointer
 * and ends in an indirect jump: a `ret` would defeat the return predictor, and
 * MXCSR or the x87 control word would cost more than all the rest
 * (facts measured for this project: 2.4 ns against 12 and 43 to 72 ns).
 * x86-64 and aarch64 in assembly, ucontext elsewhere. ASan and Valgrind are
 * told about the stacks. Model code must not print or call into GSL or SQLite
 * from a coroutine: stacks are small.
 */
#include "sim/types.h"

#define CORO_STACK_SIZE	(32u << 10)	/* usable bytes of a stack */

struct coro {
	void *sp;		/* saved stack pointer, or ucontext */
	void *stack;		/* lowest usable byte; the main one's may be
				 * unknown (NULL) */
	size_t stack_size;
	bool canary;		/* there is one at the bottom: not of main */
	void *fake_stack;	/* ASan's */
	unsigned int valgrind_id;
};

/*
 * All stacks of one simulation: one mapping, a guard page below each stack
 * while the kernel's limit on mappings allows it (the first
 * CORO_NR_GUARDS_MAX), a canary word at the bottom of every stack.
 */
struct coro_arena {
	char *base;
	size_t size;
	u32 nr, nr_max;
};

#define CORO_NR_GUARDS_MAX 8192

/* 0 or -ENOMEM. */
int coro_arena_init(struct coro_arena *a, u32 nr_stacks);
void coro_arena_free(struct coro_arena *a);

/* fn(arg) starts at the first switch to c; it must never return. */
void coro_init(struct coro *c, struct coro_arena *a, void (*fn)(void *),
	       void *arg);
/* The stack that is running now; nothing is allocated. */
void coro_init_main(struct coro *c);
void coro_fini(struct coro *c);
void coro_switch(struct coro *from, struct coro *to);
/* True while nobody has written over the bottom of the stack. */
bool coro_canary_ok(const struct coro *c);

#endif
