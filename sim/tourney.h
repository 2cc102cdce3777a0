/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_TOURNEY_H
#define SIM_TOURNEY_H
/*
 * The pending set: a winner tree with one slot per CPU.
 *
 * A slot's key orders events by time, then kind (interrupt or
 * other hardware action, grant, own operation), then the order of requests,
 * then CPU number. It is one 128-bit integer:
 *
 *	bits 127..66  time, ps
 *	bits  65..64  enum event_kind
 *	bits  63..12  request number
 *	bits  11..0   CPU
 *
 * so that one comparison decides and the winner's key names its CPU. An idle
 * slot is TOURNEY_IDLE. Replacing a slot replays log2(n) levels, branch-free.
 */
#include "sim/types.h"

enum event_kind { EV_HARDWARE, EV_GRANT, EV_OWN };

#define TOURNEY_CPU_BITS	12
#define TOURNEY_CPU_MASK	((1u << TOURNEY_CPU_BITS) - 1)
#define TOURNEY_IDLE		(~(u128)0)

struct tourney {
	u128 *key;	/* [2 * nr_leaves]; key[1] is the winner */
	u32 nr_leaves;	/* power of two */
};

static inline u128 tourney_key(ps_t time, enum event_kind kind, u64 seq,
			       u32 cpu)
{
	return (u128)(time << 2 | (u64)kind) << 64 |
	       (seq << TOURNEY_CPU_BITS | cpu);
}

static inline ps_t tourney_time(u128 key)
{
	return (ps_t)(key >> 66);
}

static inline enum event_kind tourney_kind(u128 key)
{
	return (enum event_kind)((u64)(key >> 64) & 3);
}

static inline u32 tourney_cpu(u128 key)
{
	return (u32)key & TOURNEY_CPU_MASK;
}

static inline u128 tourney_winner(const struct tourney *t)
{
	return t->key[1];
}

static inline void tourney_set(struct tourney *t, u32 cpu, u128 key)
{
	u32 i = t->nr_leaves + cpu;

	t->key[i] = key;
	while (i > 1) {
		const u128 other = t->key[i ^ 1];

		key = key < other ? key : other;
		i >>= 1;
		t->key[i] = key;
	}
}

#endif
