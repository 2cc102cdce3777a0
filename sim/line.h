/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_LINE_H
#define SIM_LINE_H
/*
 * Cache lines: the mechanism that locks, atomics and data structures cost.
 *
 * A line has an owner (its last writer), a few sharers (CPUs with a clean
 * copy), and requests in flight. It serves one transfer at a time; a transfer
 * costs what the topology says between the CPUs concerned, the invalidation of
 * several copies is taken in parallel (the slowest counts). When a transfer
 * ends, the nearest of the waiting requests is served next (a hypothesis
 * about hardware, sim_config.arbitration), unless that would pass by an older
 * one more than bypass_max times. Served in arrival order instead, the model
 * misses the published curves (a test shows it).
 *
 * Copies overlap: the next one may start share_gap after the one before (the
 * directory answers one request at a time), a move waits for all of them.
 *
 * Two kinds: struct line may be touched by several CPUs at any time (lock
 * words, atomics, whatever shares a line with these): its operations park.
 * struct cline is data that only the holder of some lock touches, or only its
 * own CPU: an access is a cost, without queueing. There are millions of these,
 * so their sharers are kept in bounded space: the latest CLINE_NR_SHARERS
 * CPUs, and a bit for each last-level cache. An older copy counts as one that
 * has fallen back to its last-level cache.
 */
#include "sim/sim.h"

#define CLINE_NR_SHARERS	4
#define CLINE_NOBODY		0xffffu

struct cline {
	u16 owner;		/* last writer, or CLINE_NOBODY */
	u8 nr_sharers;		/* with llcs: 0 only if there are no copies */
	u8 oldest;		/* next sharer[] to be replaced */
	u16 sharer[CLINE_NR_SHARERS];
	u64 llcs;		/* caches with a copy, by number modulo 64 */
#if VMAPSIM_DEBUG
	ps_t last;		/* latest access, for the causality check */
#endif
};

struct line {
	u16 owner;		/* last writer, or CLINE_NOBODY */
	u16 nr_copies;		/* clean copies beside the owner's */
	u64 *copies;		/* which CPUs have one; bits */
	bool moving;		/* to a new owner: nothing else goes on */
	u32 reads;		/* copies on their way */
	ps_t probed_at;		/* moving: its holders lose it then */
	ps_t free_at;		/* earliest start of the next transfer */
	ps_t next_arrival;	/* earliest of the reads on their way */
	struct request *waiting, **waiting_end;
	struct cpu *watchers;	/* pollers with a valid copy */
	struct line_class *class;
	struct sim *sim;
};

void cline_init(struct cline *c);
/* name: the objects in it, joined by '+'. Lines of one name count together. */
void line_init(struct sim *s, struct line *l, const char *name);

/*
 * Touch data that nobody else may touch now. A load that misses is paid for by
 * the CPU's clock; a store goes to the store buffer: the CPU goes on, and what
 * comes after in order (an atomic, the store that releases a lock) waits for
 * it (cpu.stores_until). Stores that miss are fetched in parallel.
 */
void cline_fetch(struct cpu *c, struct cline *l, bool write,
		 struct line_class *class);

/* One transfer to cpu in k's counters: near, or far. */
void line_count_transfer(const struct sim *s, u32 cpu, ps_t cost,
			 struct line_class *k);

static inline bool cline_owned(const struct cline *l, u32 cpu)
{
	return l->owner == cpu && !l->nr_sharers;
}

bool cline_has(const struct cline *l, u32 cpu);

static inline void cline_read(struct cpu *c, struct cline *l,
			      struct line_class *class)
{
	check_debug(c->sim, c->now >= l->last || !++c->sim->accesses_late);
	if (l->owner != c->id)
		cline_fetch(c, l, false, class);
#if VMAPSIM_DEBUG
	l->last = c->now;
#endif
}

static inline void cline_write(struct cpu *c, struct cline *l,
			       struct line_class *class)
{
	check_debug(c->sim, c->now >= l->last || !++c->sim->accesses_late);
	if (!cline_owned(l, c->id))
		cline_fetch(c, l, true, class);
#if VMAPSIM_DEBUG
	l->last = c->now;
#endif
}

/*
 * Contended lines. Each returns at the instant at which the access takes
 * effect: the caller reads or changes the words that lie in the line at once.
 */
void line_read(struct cpu *c, struct line *l);	/* a copy */
void line_rmw(struct cpu *c, struct line *l);	/* alone; empties the buffer */
void line_write(struct cpu *c, struct line *l);	/* alone, in the pipeline */
/*
 * A plain store: the CPU goes on, the word changes when the line arrives;
 * stores stay in order, and an atomic waits for all of them.
 */
void line_store(struct cpu *c, struct line *l, u32 *word, u32 clear, u32 set);
/* After line_read() at this instant: until somebody else writes the line. */
void line_watch(struct cpu *c, struct line *l);

/* Hardware action: the store in front of c's buffer has its line. */
void line_store_arrived(struct cpu *c, ps_t now);

#endif
