/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of private data: who has a copy, what an access costs; see line.h. */
#include "sim/line.h"

void cline_init(struct cline *l)
{
	l->owner = CLINE_NOBODY;
	l->nr_sharers = 0;
	l->oldest = 0;
	l->llcs = 0;
}

bool cline_has(const struct cline *l, u32 cpu)
{
	if (l->owner == cpu)
		return true;
	for (u32 i = 0; i < l->nr_sharers; i++)
		if (l->sharer[i] == cpu)
			return true;
	return false;
}

/* A core of a last-level cache that stands for all of them. */
static u32 llc_cpu(const struct sim *s, u32 llc)
{
	return s->llc_first[llc];
}

static u64 llc_bit(const struct sim *s, u32 cpu)
{
	return 1ull << s->cpu[cpu].llc % 64;
}

/*
 * Load: from the nearest cache that has it, else from memory. The reader's
 * own last-level cache may have kept a copy that a neighbour fetched.
 */
static ps_t read_cost(const struct sim *s, const struct cline *l, u32 cpu)
{
	ps_t best = PS_NEVER;

	if (l->owner != CLINE_NOBODY)
		best = sim_distance(s, l->owner, cpu);
	if (l->llcs & llc_bit(s, cpu)) {
		const ps_t near = sim_distance_in_llc(s, cpu);

		if (near < best)
			best = near;
	}
	for (u32 i = 0; i < l->nr_sharers; i++) {
		const ps_t d = sim_distance(s, l->sharer[i], cpu);

		if (d < best)
			best = d;
	}
	return best == PS_NEVER ? s->cfg.cost.dram : best;
}

/* Store: the data from the owner, every other copy invalidated meanwhile. */
static ps_t write_cost(const struct sim *s, const struct cline *l, u32 cpu)
{
	ps_t worst = 0;

	if (l->owner == CLINE_NOBODY && !l->nr_sharers)
		return s->cfg.cost.dram;
	if (l->owner != CLINE_NOBODY && l->owner != cpu)
		worst = sim_distance(s, l->owner, cpu);
	for (u32 i = 0; i < l->nr_sharers; i++) {
		const ps_t d = l->sharer[i] == cpu ? 0 :
			sim_distance(s, l->sharer[i], cpu);

		if (d > worst)
			worst = d;
	}
	for (u64 bits = l->llcs & ~llc_bit(s, cpu); bits; bits &= bits - 1) {
		const ps_t d = sim_distance(s, llc_cpu(s,
					    (u32)__builtin_ctzll(bits)), cpu);

		if (d > worst)
			worst = d;
	}
	return worst;
}

static void cline_take(const struct sim *s, struct cline *l, u32 cpu,
		       bool write)
{
	if (write) {
		l->owner = (u16)cpu;
		l->nr_sharers = 0;
		l->oldest = 0;
		l->llcs = 0;
		return;
	}
	l->llcs |= llc_bit(s, cpu);
	if (l->nr_sharers < CLINE_NR_SHARERS) {
		l->sharer[l->nr_sharers++] = (u16)cpu;
	} else {
		l->sharer[l->oldest] = (u16)cpu;
		l->oldest = (u8)((l->oldest + 1) % CLINE_NR_SHARERS);
	}
}

/* Far is what costs more than a transfer inside the last-level cache. */
void line_count_transfer(const struct sim *s, u32 cpu, ps_t cost,
			 struct line_class *k)
{
	if (cost > sim_distance_in_llc(s, cpu))
		k->n.transfers_far++;
	else
		k->n.transfers_near++;
	k->n.transfer_total += cost;
}

void cline_fetch(struct cpu *c, struct cline *l, bool write,
		 struct line_class *class)
{
	struct sim *s = c->sim;
	ps_t cost;

	if (!s->cfg.coherent || (!write && cline_has(l, c->id)))
		return;
	cost = write ? write_cost(s, l, c->id) : read_cost(s, l, c->id);
	if (class)
		line_count_transfer(s, c->id, cost, class);
	cline_take(s, l, c->id, write);
	if (!write)
		c->now += cost;
	else if (c->now + cost > c->stores_until)
		c->stores_until = c->now + cost;
}
