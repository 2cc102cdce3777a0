/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contended lines: transfers, arbitration, store buffers; see line.h. */
#include "sim/line.h"

void line_init(struct sim *s, struct line *l, const char *name)
{
	*l = (struct line){
		.owner = CLINE_NOBODY,
		.copies = sim_alloc(s, (s->nr_cpus + 63) / 64 * sizeof(u64)),
		.next_arrival = PS_NEVER,
		.class = line_class_get(s, name),
		.sim = s,
	};
	l->waiting_end = &l->waiting;
}

static bool has_copy(const struct line *l, u32 cpu)
{
	return l->copies[cpu / 64] >> (cpu % 64) & 1;
}

/*
 * While a transfer is under way, the caches that have the line may go on using
 * it until the probe reaches them: for anything before a move, for stores
 * before a copy.
 */
static bool line_hit(const struct line *l, u32 cpu, bool excl, ps_t now)
{
	const bool probed = now >= l->probed_at;

	if (l->moving && probed)
		return false;
	if (l->owner == cpu)
		return !excl || (!l->nr_copies && !(l->reads && probed));
	return !excl && has_copy(l, cpu);
}

/* The slowest of the holders of a line, seen from cpu; none: memory. */
static ps_t farthest_holder(const struct line *l, u32 cpu)
{
	const struct sim *s = l->sim;
	ps_t worst = 0;

	if (l->owner == CLINE_NOBODY && !l->nr_copies)
		return s->cfg.cost.dram;
	if (l->owner != CLINE_NOBODY && l->owner != cpu)
		worst = sim_distance(s, l->owner, cpu);
	for (u32 w = 0; l->nr_copies && w < (s->nr_cpus + 63) / 64; w++)
		for (u64 bits = l->copies[w]; bits; bits &= bits - 1) {
			const u32 i = w * 64 + (u32)__builtin_ctzll(bits);
			const ps_t d = i == cpu ? 0 : sim_distance(s, i, cpu);

			if (d > worst)
				worst = d;
		}
	return worst;
}

static ps_t nearest_holder(const struct line *l, u32 cpu)
{
	const struct sim *s = l->sim;
	ps_t best = PS_NEVER;

	if (l->owner != CLINE_NOBODY)
		best = sim_distance(s, l->owner, cpu);
	for (u32 w = 0; l->nr_copies && w < (s->nr_cpus + 63) / 64; w++)
		for (u64 bits = l->copies[w]; bits; bits &= bits - 1) {
			const u32 i = w * 64 + (u32)__builtin_ctzll(bits);
			const ps_t d = sim_distance(s, i, cpu);

			if (d < best)
				best = d;
		}
	return best == PS_NEVER ? s->cfg.cost.dram : best;
}

/* The next thing to happen to c's store buffer. */
static void store_set_key(struct cpu *c)
{
	u128 key = TOURNEY_IDLE;

	for (u32 i = 0; i < c->store_nr; i++) {
		const u128 k = c->store[(c->store_head + i) % NR_STORES].key;

		key = k < key ? k : key;
	}
	c->store_key = key;
	cpu_set_hw(c);
}

/* The request's transfer begins; its end is an event of its CPU. */
static void line_start(struct line *l, struct request *r, ps_t now)
{
	struct sim *s = l->sim;
	struct cpu *c = r->cpu;
	const ps_t begin = now > l->free_at ? now : l->free_at;
	const ps_t cost = r->excl ? farthest_holder(l, c->id) :
		nearest_holder(l, c->id);
	const ps_t end = begin + cost;

	r->waits = false;
	r->in_flight = true;
	if (r->excl || !l->reads)	/* of several copies the first */
		l->probed_at = begin + cost * s->cfg.cost.probe_ppm / 1000000;
	if (r->excl) {
		l->moving = true;
	} else {
		l->reads++;
		l->free_at = begin + s->cfg.cost.share_gap;
		if (end < l->next_arrival)
			l->next_arrival = end;
	}
	line_count_transfer(s, c->id, cost, l->class);
	l->class->n.wait_total += begin - r->asked;
	if (r->is_store) {
		((struct store *)r)->key = tourney_key(end, EV_HARDWARE,
						       r->seq, c->id);
		store_set_key(c);
	} else {
		cpu_grant(c, end, r->seq);
	}
}

/*
 * Whom to serve next, seen from the cache that got the line last: the nearest,
 * among equals the oldest; but never pass by one that has had enough of it.
 */
static struct request **line_pick(struct line *l, u32 from)
{
	struct sim *s = l->sim;
	struct request **best = &l->waiting, **p;
	ps_t best_d;

	if (s->cfg.arbitration == ARBITRATE_ARRIVAL || !l->waiting->next ||
	    l->waiting->passed >= s->cfg.bypass_max)
		return best;
	best_d = sim_distance(s, from, l->waiting->cpu->id);
	for (p = &l->waiting->next; *p; p = &(*p)->next) {
		const ps_t d = sim_distance(s, from, (*p)->cpu->id);

		if (d < best_d) {
			best_d = d;
			best = p;
		}
	}
	return best;
}

/*
 * Start what may start. A copy is sent out as long as it leaves before the
 * next one arrives (later, somebody nearer may have come); a move waits until
 * all copies have arrived.
 */
static void line_serve(struct line *l, u32 from, ps_t now)
{
	while (l->waiting && !l->moving) {
		struct request **p = line_pick(l, from), *r = *p;

		if (l->reads && (r->excl || l->free_at >= l->next_arrival))
			return;
		for (struct request *o = l->waiting; o != r; o = o->next)
			o->passed++;
		*p = r->next;
		if (!r->next)
			l->waiting_end = p;
		line_start(l, r, now);
	}
}

static void line_request(struct line *l, struct request *r, bool excl,
			 ps_t now)
{
	r->line = l;
	r->excl = excl;
	r->asked = now;
	r->passed = 0;
	r->next = NULL;
	r->seq = l->sim->seq++;
	r->waits = true;
	r->in_flight = false;
	*l->waiting_end = r;
	l->waiting_end = &r->next;
	line_serve(l, l->owner == CLINE_NOBODY ? r->cpu->id : l->owner, now);
}

/* Every poller's copy is gone: each reads again after its poll interval. */
static void line_wake_watchers(struct line *l, struct cpu *writer, ps_t now)
{
	struct cpu *w = l->watchers, *next;

	l->watchers = NULL;
	for (; w; w = next) {
		next = w->watch_next;
		check_debug(l->sim, w != writer);
		w->watching = NULL;
		w->own_key = tourney_key(now + l->sim->cfg.cost.poll, EV_OWN,
					 l->sim->seq++, w->id);
		cpu_set_slot(w);
	}
	(void)writer;
}

/* r has its line at now: change hands, then serve the next. */
static void line_arrived(struct line *l, struct request *r, ps_t now)
{
	struct cpu *c = r->cpu;

	if (r->excl) {
		l->moving = false;
		l->owner = (u16)c->id;
		if (l->nr_copies)
			for (u32 w = 0; w < (l->sim->nr_cpus + 63) / 64; w++)
				l->copies[w] = 0;
		l->nr_copies = 0;
		l->free_at = now + l->sim->cfg.cost.rmw;
		line_wake_watchers(l, c, now);
	} else {
		l->reads--;
		l->next_arrival = PS_NEVER;
		if (l->owner != c->id && !has_copy(l, c->id)) {
			l->copies[c->id / 64] |= 1ull << c->id % 64;
			l->nr_copies++;
		}
	}
	line_serve(l, c->id, now);
}

/* Wait for a copy or for the line alone; true if it had to be fetched. */
static bool line_get(struct cpu *c, struct line *l, bool excl)
{
	l->class->n.accesses++;
	if (line_hit(l, c->id, excl, c->now))
		return false;
	line_request(l, &c->req, excl, c->now);
	cpu_wait(c);
	line_arrived(l, &c->req, c->woken_at);
	return true;
}

void line_read(struct cpu *c, struct line *l)
{
	cpu_park(c);
	if (c->sim->cfg.coherent)
		line_get(c, l, false);
}

static void wait_for_stores(struct cpu *c)
{
	while (c->store_nr) {
		c->draining = true;
		cpu_wait(c);
	}
}

void line_rmw(struct cpu *c, struct line *l)
{
	if (c->stores_until > c->now && c->sim->cfg.coherent)
		c->now = c->stores_until;
	cpu_park(c);
	if (!c->sim->cfg.coherent)
		return;
	wait_for_stores(c);
	line_get(c, l, true);
	c->now += c->sim->cfg.cost.rmw;
}

void line_write(struct cpu *c, struct line *l)
{
	cpu_park(c);
	if (c->sim->cfg.coherent)
		line_get(c, l, true);
}

void line_watch(struct cpu *c, struct line *l)
{
	check_debug(c->sim, !c->watching);
	c->watching = l;
	c->watch_next = l->watchers;
	l->watchers = c;
	cpu_wait(c);
}

/* ---- the store buffer ---- */

static void store_apply(const struct store *st)
{
	*st->word = (*st->word & ~st->clear) | st->set;
}

/*
 * Make visible, from the front, every store whose line is here. A line that
 * came early and was taken away again is fetched once more.
 */
static void store_drain(struct cpu *c, ps_t now)
{
	while (c->store_nr) {
		struct store *st = &c->store[c->store_head];
		struct line *l = st->req.line;

		if (st->key != TOURNEY_IDLE || st->req.waits)
			return;		/* under way */
		if (now < st->not_before) {
			/* plain stores to own data come before it */
			st->key = tourney_key(st->not_before, EV_HARDWARE,
					      c->sim->seq++, c->id);
			store_set_key(c);
			return;
		}
		if (!line_hit(l, c->id, true, now)) {
			line_request(l, &st->req, true, now);
			return;
		}
		store_apply(st);
		line_wake_watchers(l, c, now);
		c->store_head = (c->store_head + 1) % NR_STORES;
		c->store_nr--;
	}
	if (c->draining) {
		c->draining = false;
		cpu_grant(c, now, c->sim->seq++);
	}
}

void line_store_arrived(struct cpu *c, ps_t now)
{
	struct store *st = &c->store[0];

	while (st->key != c->store_key)
		st++;
	st->key = TOURNEY_IDLE;
	if (st->req.in_flight) {
		const bool front = st == &c->store[c->store_head] &&
				   now >= st->not_before;

		st->req.in_flight = false;
		if (front) {
			store_apply(st);
			c->store_head = (c->store_head + 1) % NR_STORES;
			c->store_nr--;
		}
		line_arrived(st->req.line, &st->req, now);
	}
	store_drain(c, now);
	store_set_key(c);
}

void line_store(struct cpu *c, struct line *l, u32 *word, u32 clear, u32 set)
{
	struct store *st;

	cpu_park(c);
	l->class->n.accesses++;
	if (!c->sim->cfg.coherent) {
		*word = (*word & ~clear) | set;
		line_wake_watchers(l, c, c->now);
		return;
	}
	if (c->store_nr == NR_STORES)
		wait_for_stores(c);
	st = &c->store[(c->store_head + c->store_nr) % NR_STORES];
	st->req.line = l;
	st->not_before = c->stores_until;
	st->word = word;
	st->clear = clear;
	st->set = set;
	c->store_nr++;
	if (!line_hit(l, c->id, true, c->now))
		line_request(l, &st->req, true, c->now);
	store_drain(c, c->now);
}
