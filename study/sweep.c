/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan through the worker pool and into the store. */
#define _GNU_SOURCE		/* qsort_r */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/pool.h"
#include "study/progress.h"
#include "study/run.h"
#include "study/sweep.h"
#include "study/wire.h"

#define NO_POINT	((size_t)-1)

struct sweep {
	const struct plan *plan;
	const struct sweep_options *o;
	struct sweep_counts *c;
	struct progress progress;
	size_t *item;		/* points to run, the longest first */
	size_t nr_items;
	size_t *next_same;	/* next point with the same key */
	char *err;
	size_t err_size;
};

/* Expected cost: a thread runs as many operations as the next one. */
static double work_of(const struct scenario *s)
{
	return (double)param_num(&s->params, "nr_threads");
}

static int fail(struct sweep *sw, int rc, const char *why)
{
	snprintf(sw->err, sw->err_size, "%s", why);
	return rc;
}

static int tell(struct sweep *sw, size_t point, const struct result *r)
{
	int rc = 0;

	if (!sw->o->done)
		return 0;
	for (size_t i = point; i != NO_POINT && !rc; i = sw->next_same[i])
		rc = sw->o->done(sw->o->ctx, i, r);
	return rc;
}

/* One finished or failed point: counted, stored, told. */
static int take(struct sweep *sw, size_t point, const struct result *r)
{
	bool failed = strcmp(r->state, "done") != 0;
	int rc = 0;

	if (sw->o->store)
		rc = store_put(sw->o->store, r, sw->o->campaign,
			       sw->o->store_flags, NULL);
	if (rc < 0)
		return fail(sw, rc, store_error(sw->o->store));
	if (failed)
		sw->c->nr_failed++;
	else
		sw->c->nr_done++;
	sw->c->nr_left--;
	progress_add(&sw->progress, work_of(&sw->plan->point[point]), failed);
	return tell(sw, point, r);
}

static int pool_work(void *ctx, size_t point, char **bytes, size_t *size)
{
	struct sweep *sw = ctx;
	const struct scenario *s = &sw->plan->point[point];
	struct result r = { 0 };
	int rc = (sw->o->run ? sw->o->run : study_run)(s, &r, sw->o->stop);

	/* a run that failed is a result like any other */
	if (rc != -EINTR)
		rc = r.state ? wire_pack(&r, bytes, size) : -ENOMEM;
	result_free(&r);
	return rc;
}

static int pool_done(void *ctx, size_t point, const char *bytes, size_t size)
{
	struct sweep *sw = ctx;
	struct result r;
	int rc = wire_unpack(bytes, size, &r);

	if (rc)
		return fail(sw, rc, "result of a worker cannot be read");
	rc = take(sw, point, &r);
	result_free(&r);
	return rc;
}

static int pool_died(void *ctx, size_t point, const char *why)
{
	struct sweep *sw = ctx;
	struct result r;
	int rc = result_describe(&r, &sw->plan->point[point]);

	if (!rc && result_fail(&r, -EIO, why) == -ENOMEM)
		rc = -ENOMEM;
	if (!rc)
		rc = take(sw, point, &r);
	else
		fail(sw, rc, strerror(-rc));
	result_free(&r);
	return rc;
}

static void pool_tick(void *ctx)
{
	progress_tick(&((struct sweep *)ctx)->progress);
}

/* 1 when the store has the point; it is told of then. */
static int find_stored(struct sweep *sw, size_t point)
{
	struct store *db = sw->o->store;
	const char *key = sw->plan->point[point].key;
	struct result r;
	s64 id;
	int rc = db ? store_is_done(db, key) : 0;

	if (rc <= 0)
		return rc < 0 ? fail(sw, rc, store_error(db)) : 0;
	if (!sw->o->done)
		return 1;
	rc = store_find(db, key, &id);
	if (!rc)
		rc = store_load(db, id, &r);
	if (rc)
		return fail(sw, rc, store_error(db));
	rc = tell(sw, point, &r);
	result_free(&r);
	return rc ? rc : 1;
}

static int by_key(const void *va, const void *vb, void *arg)
{
	const struct plan *plan = arg;
	size_t a = *(const size_t *)va, b = *(const size_t *)vb;
	int rc = strcmp(plan->point[a].key, plan->point[b].key);

	return rc ? rc : a < b ? -1 : 1;
}

static int by_work(const void *va, const void *vb, void *arg)
{
	const struct plan *plan = arg;
	size_t a = *(const size_t *)va, b = *(const size_t *)vb;
	double wa = work_of(&plan->point[a]), wb = work_of(&plan->point[b]);

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return a < b ? -1 : 1;
}

/* Chains points of one key; the first of each is a candidate to run. */
static void find_same(struct sweep *sw)
{
	const struct plan *plan = sw->plan;
	size_t nr = 0;

	for (size_t i = 0; i < plan->nr; i++)
		sw->item[i] = i;
	qsort_r(sw->item, plan->nr, sizeof(*sw->item), by_key, (void *)plan);
	for (size_t i = 0; i < plan->nr; i++) {
		size_t at = sw->item[i], before = i ? sw->item[i - 1] : 0;

		sw->next_same[at] = NO_POINT;
		if (i && !strcmp(plan->point[at].key, plan->point[before].key))
			sw->next_same[before] = at;
	}
	/* what is nobody's next is a first one */
	for (size_t i = 0; i < plan->nr; i++)
		sw->item[i] = 0;
	for (size_t i = 0; i < plan->nr; i++)
		if (sw->next_same[i] != NO_POINT)
			sw->item[sw->next_same[i]] = 1;
	for (size_t i = 0; i < plan->nr; i++)
		if (!sw->item[i])
			sw->item[nr++] = i;
	sw->nr_items = nr;
	sw->c->nr_same = plan->nr - nr;
}

static int choose(struct sweep *sw)
{
	size_t nr = 0;
	double work = 0;

	find_same(sw);
	for (size_t i = 0; i < sw->nr_items; i++) {
		size_t point = sw->item[i];
		int rc = find_stored(sw, point);

		if (rc < 0)
			return rc;
		if (rc) {
			sw->c->nr_skipped++;
			continue;
		}
		sw->item[nr++] = point;
		work += work_of(&sw->plan->point[point]);
	}
	sw->nr_items = nr;
	sw->c->nr_left = nr;
	qsort_r(sw->item, nr, sizeof(*sw->item), by_work, (void *)sw->plan);
	progress_init(&sw->progress, sw->o->progress, nr, work);
	return 0;
}

int sweep_run(const struct plan *plan, const struct sweep_options *o,
	      struct sweep_counts *c, char *err, size_t err_size)
{
	static const struct pool_ops ops = {
		.work = pool_work, .done = pool_done, .died = pool_died,
		.tick = pool_tick,
	};
	struct sweep sw = {
		.plan = plan, .o = o, .c = c, .err = err, .err_size = err_size,
	};
	int rc = -ENOMEM;

	*c = (struct sweep_counts) { 0 };
	snprintf(err, err_size, "%s", "");
	sw.item = calloc(plan->nr + 1, sizeof(*sw.item));
	sw.next_same = calloc(plan->nr + 1, sizeof(*sw.next_same));
	if (sw.item && sw.next_same)
		rc = choose(&sw);
	if (!rc) {
		fflush(NULL);	/* or workers would write it again */
		rc = pool_run(sw.item, sw.nr_items, o->nr_workers ?
			      o->nr_workers : pool_nr_cpus(), &ops, &sw,
			      o->stop);
		progress_end(&sw.progress);
	}
	if (rc && rc != -EINTR && !*err)
		fail(&sw, rc, strerror(-rc));
	free(sw.item);
	free(sw.next_same);
	return rc;
}

static int keep(void *ctx, size_t point, const struct result *r)
{
	struct result *to = ctx;
	char *bytes;
	size_t size;
	int rc = wire_pack(r, &bytes, &size);

	if (rc)
		return rc;
	rc = wire_unpack(bytes, size, &to[point]);
	free(bytes);
	return rc;
}

int sweep_collect(const struct plan *plan, const struct sweep_options *o,
		  struct result *r, struct sweep_counts *c, char *err,
		  size_t err_size)
{
	struct sweep_options mine = *o;

	mine.done = keep;
	mine.ctx = r;
	memset(r, 0, plan->nr * sizeof(*r));
	return sweep_run(plan, &mine, c, err, err_size);
}
