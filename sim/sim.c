/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-up, dispatch and end of a simulation; see sim.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/line.h"
#include "sim/sched.h"
#include "sim/sim.h"

#define CHUNK_SIZE	(1u << 20)
#define DIST_NR_CPUS_MAX 1024	/* 4 MiB of distances */

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, size;
	char mem[];
};

_Noreturn void check_failed(const struct sim *s, const char *what,
			    const char *file, int line)
{
	fprintf(stderr, "%s:%d: check failed: %s", file, line, what);
	if (s)
		fprintf(stderr, " (seed %llu, replication %u, time %llu ps)",
			(unsigned long long)s->cfg.seed, s->cfg.replication,
			(unsigned long long)tourney_time(s->tree.key[1]));
	fprintf(stderr, "\n");
	abort();
}

void *sim_alloc(struct sim *s, size_t size)
{
	struct arena_chunk *k = s->chunks;
	void *p;

	size = (size + 63) & ~(size_t)63;
	if (!k || k->used + size > k->size) {
		const size_t n = size > CHUNK_SIZE ? size : CHUNK_SIZE;

		k = calloc(1, sizeof(*k) + n + 64);
		check_always(s, k);
		k->size = n;
		k->used = (64 - (uintptr_t)k->mem % 64) % 64;
		k->size += k->used;
		k->next = s->chunks;
		s->chunks = k;
	}
	p = k->mem + k->used;
	k->used += size;
	return p;
}

static void init_distances(struct sim *s)
{
	const u32 n = s->nr_cpus;

	s->llc_first = sim_alloc(s, s->cfg.topo->nr_llcs *
				 sizeof(*s->llc_first));
	for (u32 i = n; i-- > 0; )
		s->llc_first[s->cfg.topo->llc[i]] = i;
	if (n > DIST_NR_CPUS_MAX)
		return;
	s->dist = sim_alloc(s, (size_t)n * n * sizeof(*s->dist));
	for (u32 a = 0; a < n; a++)
		for (u32 b = 0; b < n; b++)
			s->dist[(size_t)a * n + b] =
				(u32)topo_transfer(s->cfg.topo, a, b);
}

static void init_cpu(struct sim *s, u32 id)
{
	struct cpu *c = &s->cpu[id];

	c->sim = s;
	c->id = id;
	c->llc = s->cfg.topo->llc[id];
	c->own_key = TOURNEY_IDLE;
	c->hw_key = TOURNEY_IDLE;
	c->irq_key = TOURNEY_IDLE;
	c->store_key = TOURNEY_IDLE;
	c->req.cpu = c;
	for (u32 i = 0; i < NR_STORES; i++) {
		c->store[i].req.cpu = c;
		c->store[i].req.is_store = true;
		c->store[i].key = TOURNEY_IDLE;
	}
}

int sim_init(struct sim *s, const struct sim_config *cfg)
{
	u32 leaves = 1;
	int err;

	memset(s, 0, sizeof(*s));
	s->cfg = *cfg;
	s->nr_cpus = cfg->topo->nr_cpus;
	if (s->nr_cpus > TOURNEY_CPU_MASK + 1)
		return -E2BIG;
	err = coro_arena_init(&s->stacks, cfg->nr_tasks_max);
	if (err)
		return err;
	while (leaves < s->nr_cpus)
		leaves *= 2;
	s->tree.nr_leaves = leaves;
	s->tree.key = sim_alloc(s, 2 * leaves * sizeof(*s->tree.key));
	for (u32 i = 0; i < 2 * leaves; i++)
		s->tree.key[i] = TOURNEY_IDLE;
	s->task = sim_alloc(s, cfg->nr_tasks_max * sizeof(*s->task));
	s->cpu = sim_alloc(s, s->nr_cpus * sizeof(*s->cpu));
	for (u32 i = 0; i < s->nr_cpus; i++)
		init_cpu(s, i);
	init_distances(s);
	coro_init_main(&s->main);
	return 0;
}

void sim_free(struct sim *s)
{
	for (u32 i = 0; i < s->nr_tasks; i++)
		coro_fini(&s->task[i]->coro);
	coro_fini(&s->main);
	coro_arena_free(&s->stacks);
	while (s->chunks) {
		struct arena_chunk *k = s->chunks;

		s->chunks = k->next;
		free(k);
	}
}

/*
 * Find out who is next and go there: hardware actions are run here, on the
 * stack of whoever came; a task's own turn is a switch to it.
 */
void sim_dispatch(struct sim *s, struct coro *from)
{
	for (;;) {
		const u128 key = tourney_winner(&s->tree);
		struct coro *to;

		if (key == TOURNEY_IDLE) {
			to = &s->main;
		} else {
			struct cpu *c = &s->cpu[tourney_cpu(key)];

			if (tourney_kind(key) == EV_HARDWARE) {
				cpu_hardware(c, tourney_time(key));
				continue;
			}
			to = &c->curr->coro;
		}
		if (to != from)
			coro_switch(from, to);
		return;
	}
}

void cpu_resumed(struct cpu *c)
{
	const ps_t at = tourney_time(c->own_key);

	check_debug(c->sim, c->own_key == tourney_winner(&c->sim->tree));
	c->woken_at = at;
	c->now = at > c->irq_until ? at : c->irq_until;
	c->own_key = TOURNEY_IDLE;
	cpu_set_slot(c);
}

void cpu_wait(struct cpu *c)
{
	struct task *t = c->curr;

	sim_dispatch(c->sim, &t->coro);
	check_debug(c->sim, coro_canary_ok(&t->coro));
	cpu_resumed(c);
}

void sim_run(struct sim *s)
{
	sim_dispatch(s, &s->main);
	for (u32 i = 0; i < s->nr_tasks; i++)
		check_always(s, coro_canary_ok(&s->task[i]->coro));
}

struct lock_class *lock_class_get(struct sim *s, const char *name,
				  const char *type)
{
	struct lock_class **p = &s->lock_classes;

	while (*p && strcmp((*p)->n.name, name))
		p = &(*p)->next;
	if (!*p) {
		*p = sim_alloc(s, sizeof(**p));
		snprintf((*p)->n.name, sizeof((*p)->n.name), "%s", name);
		snprintf((*p)->n.type, sizeof((*p)->n.type), "%s", type);
	}
	(*p)->n.nr_locks++;
	return *p;
}

struct line_class *line_class_get(struct sim *s, const char *name)
{
	struct line_class **p = &s->line_classes;

	while (*p && strcmp((*p)->n.name, name))
		p = &(*p)->next;
	if (!*p) {
		*p = sim_alloc(s, sizeof(**p));
		snprintf((*p)->n.name, sizeof((*p)->n.name), "%s", name);
	}
	(*p)->n.nr_lines++;
	return *p;
}

void sim_open_window(struct sim *s, ps_t now)
{
	s->window_opened = now;
	for (struct lock_class *k = s->lock_classes; k; k = k->next) {
		struct lock_counts keep = k->n;

		memset(&k->n, 0, sizeof(k->n));
		memcpy(k->n.name, keep.name, sizeof(keep.name));
		memcpy(k->n.type, keep.type, sizeof(keep.type));
		k->n.nr_locks = keep.nr_locks;
		k->n.wait_min = k->n.hold_min = PS_NEVER;
	}
	for (struct line_class *k = s->line_classes; k; k = k->next) {
		struct line_counts keep = k->n;

		memset(&k->n, 0, sizeof(k->n));
		memcpy(k->n.name, keep.name, sizeof(keep.name));
		k->n.nr_lines = keep.nr_lines;
	}
	s->preemptoff_max = 0;
}

void sim_collect(struct sim *s, struct outcome *out)
{
	out->nr_locks = 0;
	for (struct lock_class *k = s->lock_classes; k; k = k->next)
		if (out->nr_locks < OUTCOME_NR_LOCKS_MAX)
			out->lock[out->nr_locks++] = k->n;
	out->nr_lines = 0;
	for (struct line_class *k = s->line_classes; k; k = k->next)
		if (out->nr_lines < OUTCOME_NR_LINES_MAX)
			out->line[out->nr_lines++] = k->n;
	out->accesses_late = s->accesses_late;
}
