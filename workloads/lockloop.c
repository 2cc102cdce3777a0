/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lockloop: each thread thinks, takes a lock, holds it, releases it. No kernel
 * model: for exact comparison with queueing theory (coherence=off) and for
 * locks over lines.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workloads/driver.h"
#include "workloads/workload.h"

#define NR_LOCKS_MAX	4096

static const struct param_desc lockloop_params[] = {
	{ .key = "lockloop.think", .type = PARAM_TIME, .def = "1us",
	  .min = 0, .max = PS_PER_S,
	  .help = "mean time outside the lock" },
	{ .key = "lockloop.hold", .type = PARAM_TIME, .def = "200ns",
	  .min = 0, .max = PS_PER_S,
	  .help = "mean hold time" },
	{ .key = "lockloop.think_dist", .type = PARAM_STRING, .def = "exp",
	  .help = "det, exp, erlang2, or hyper2:P,M1,M2" },
	{ .key = "lockloop.hold_dist", .type = PARAM_STRING, .def = "exp",
	  .help = "det, exp, erlang2, or hyper2:P,M1,M2" },
	{ .key = "lockloop.locks", .type = PARAM_INT, .def = "1",
	  .min = 1, .max = NR_LOCKS_MAX,
	  .help = "locks, one chosen at random each time" },
	{ .key = NULL }
};

enum dist_kind { DIST_DET, DIST_EXP, DIST_ERLANG2, DIST_HYPER2 };

struct dist {
	enum dist_kind kind;
	ps_t mean;
	u32 p_ppm;		/* hyper2: chance of m1 */
	ps_t m1, m2;
};

struct lockloop {
	struct dist think, hold;
	struct spinlock *lock;
	u32 nr_locks;
};

/* "hyper2:0.1,5.5,0.5": share, and two means relative to the mean. */
static int parse_hyper2(const char *text, struct dist *d)
{
	char *end;
	double p, a, b;

	p = strtod(text, &end);
	if (*end != ',')
		return -EINVAL;
	a = strtod(end + 1, &end);
	if (*end != ',')
		return -EINVAL;
	b = strtod(end + 1, &end);
	if (*end || !(p > 0 && p < 1) || !(a >= 0) || !(b >= 0) ||
	    a > 1e6 || b > 1e6)
		return -EINVAL;
	d->kind = DIST_HYPER2;
	d->p_ppm = (u32)(p * 1e6 + 0.5);
	d->m1 = (ps_t)((double)d->mean * a + 0.5);
	d->m2 = (ps_t)((double)d->mean * b + 0.5);
	return 0;
}

static int parse_dist(const struct param_set *p, const char *key,
		      ps_t mean, struct dist *d, char *err, size_t err_size)
{
	const char *text = param_text(p, key);
	int ret = 0;

	*d = (struct dist){ .mean = mean };
	if (!strcmp(text, "det"))
		d->kind = DIST_DET;
	else if (!strcmp(text, "exp"))
		d->kind = DIST_EXP;
	else if (!strcmp(text, "erlang2"))
		d->kind = DIST_ERLANG2;
	else if (!strncmp(text, "hyper2:", 7))
		ret = parse_hyper2(text + 7, d);
	else
		ret = -EINVAL;
	if (ret)
		snprintf(err, err_size, "%s: '%s' is not det, exp, erlang2 or"
			 " hyper2:P,M1,M2", key, text);
	return ret;
}

static ps_t draw(const struct dist *d, struct rng *r)
{
	switch (d->kind) {
	case DIST_DET:
		return d->mean;
	case DIST_EXP:
		return rng_exp(r, d->mean);
	case DIST_ERLANG2:
		return rng_erlang2(r, d->mean);
	case DIST_HYPER2:
		return rng_hyper2(r, d->p_ppm, d->m1, d->m2);
	}
	return 0;
}

static void lockloop_op(struct thread *th)
{
	struct lockloop *w = th->d->priv;
	struct task *t = th->task;
	const ps_t begin = t->cpu->now;
	struct spinlock *l = w->lock;
	ps_t middle;

	task_work(t, draw(&w->think, &th->think));
	if (w->nr_locks > 1)
		l += rng_below(&th->choice, w->nr_locks);
	spin_lock(t, l);
	middle = t->cpu->now;
	task_work(t, draw(&w->hold, &th->hold));
	spin_unlock(t, l);
	driver_ended(th, begin, middle, t->cpu->now);
}

static int lockloop_init(struct driver *d, const struct param_set *p,
			 char *err, size_t err_size)
{
	struct lockloop *w = sim_alloc(d->sim, sizeof(*w));
	const struct lock_ops *ops = lock_find(param_choice(p, "lock"));
	int ret;

	d->priv = w;
	ret = parse_dist(p, "lockloop.think_dist",
			 (ps_t)param_num(p, "lockloop.think"), &w->think, err,
			 err_size);
	if (!ret)
		ret = parse_dist(p, "lockloop.hold_dist",
				 (ps_t)param_num(p, "lockloop.hold"),
				 &w->hold, err, err_size);
	if (ret)
		return ret;
	w->nr_locks = (u32)param_num(p, "lockloop.locks");
	w->lock = sim_alloc(d->sim, w->nr_locks * sizeof(*w->lock));
	for (u32 i = 0; i < w->nr_locks; i++) {
		struct line *line = sim_alloc(d->sim, sizeof(*line));

		line_init(d->sim, line, "lock");
		spin_lock_init(d->sim, &w->lock[i], "lock", line, ops);
	}
	return 0;
}

static int lockloop_run(const struct param_set *p, u32 replication,
			struct outcome *out, char *err, size_t err_size)
{
	struct driver d;
	int ret = driver_init(&d, p, replication, out, err, err_size);

	if (!ret)
		ret = lockloop_init(&d, p, err, err_size);
	if (!ret)
		driver_run(&d, lockloop_op);
	driver_free(&d);
	return ret;
}

const struct workload workload_lockloop = {
	.name = "lockloop",
	.help = "each thread: think, lock, hold, unlock",
	.params = lockloop_params,
	.run = lockloop_run,
};
