/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading: runs by key, by what names them, by filters; one run in full. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/histblob.h"
#include "results/store_int.h"

static const char *const states[] = { "done", "failed", "interrupted" };

static int prepare(struct store *s, const char *sql, sqlite3_stmt **st)
{
	if (sqlite3_prepare_v2(s->db, sql, -1, st, NULL) != SQLITE_OK)
		return store_fail(s);
	return 0;
}

/* 0 while there are rows, -ENODATA after the last, or an error. */
static int next(struct store *s, sqlite3_stmt *st)
{
	switch (sqlite3_step(st)) {
	case SQLITE_ROW:
		return 0;
	case SQLITE_DONE:
		return -ENODATA;
	default:
		return store_fail(s);
	}
}

int store_is_done(struct store *s, const char *key)
{
	sqlite3_stmt *st;
	int rc = prepare(s, "SELECT 1 FROM run WHERE key = ?"
			 " AND state = 'done'", &st);

	if (rc)
		return rc;
	sqlite3_bind_text(st, 1, key, -1, SQLITE_STATIC);
	rc = next(s, st);
	sqlite3_finalize(st);
	if (rc == -ENODATA)
		return 0;
	return rc ? rc : 1;
}

/* The only row's id; -ENOENT without one, -ENOTUNIQ with a second. */
static int only_id(struct store *s, sqlite3_stmt *st, s64 *id)
{
	int rc = next(s, st);

	if (rc)
		return rc == -ENODATA ? -ENOENT : rc;
	*id = sqlite3_column_int64(st, 0);
	rc = next(s, st);
	if (rc)
		return rc == -ENODATA ? 0 : rc;
	return -ENOTUNIQ;
}

static int find_id(struct store *s, const char *text, s64 *id)
{
	sqlite3_stmt *st;
	int rc;

	if (strlen(text) > 18 || strspn(text, "0123456789") != strlen(text))
		return -ENOENT;
	rc = prepare(s, "SELECT id FROM run WHERE id = ?", &st);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, strtoll(text, NULL, 10));
	rc = only_id(s, st, id);
	sqlite3_finalize(st);
	return rc;
}

static int find_key(struct store *s, const char *text, s64 *id)
{
	sqlite3_stmt *st;
	size_t len = strlen(text);
	int rc;

	if (len < 4 || len > 32 || strspn(text, "0123456789abcdef") != len)
		return -ENOENT;
	rc = prepare(s, "SELECT id FROM run WHERE key >= ?1"
		     " AND key < ?1 || 'g' LIMIT 2", &st);
	if (rc)
		return rc;
	sqlite3_bind_text(st, 1, text, -1, SQLITE_STATIC);
	rc = only_id(s, st, id);
	sqlite3_finalize(st);
	return rc;
}

int store_find(struct store *s, const char *text, s64 *id)
{
	int rc = find_id(s, text, id);

	if (rc == -ENOENT)
		rc = find_key(s, text, id);
	if (rc == -ENOENT)
		return store_failf(s, rc, "no run '%s', expected an id or 4 to "
				   "32 digits of a key", text);
	if (rc == -ENOTUNIQ)
		return store_failf(s, rc, "more than one run's key begins with "
				   "'%s', expected more digits", text);
	return rc;
}

static char *text_of(sqlite3_stmt *st, int col)
{
	const char *text = (const char *)sqlite3_column_text(st, col);

	return text ? strdup(text) : NULL;
}

static void copy_text(char *to, size_t size, sqlite3_stmt *st, int col)
{
	const char *text = (const char *)sqlite3_column_text(st, col);

	snprintf(to, size, "%s", text ? text : "");
}

static double real_of(sqlite3_stmt *st, int col)
{
	if (sqlite3_column_type(st, col) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(st, col);
}

/* NULL stands for "none yet", see 'm' in store_put.c. */
static u64 least_of(sqlite3_stmt *st, int col)
{
	if (sqlite3_column_type(st, col) == SQLITE_NULL)
		return ~0ull;
	return (u64)sqlite3_column_int64(st, col);
}

static u64 u64_of(sqlite3_stmt *st, int col)
{
	return (u64)sqlite3_column_int64(st, col);
}

static const char *state_of(sqlite3_stmt *st, int col)
{
	const char *text = (const char *)sqlite3_column_text(st, col);
	size_t i;

	for (i = 0; text && i < ARRAY_SIZE(states); i++)
		if (!strcmp(states[i], text))
			return states[i];
	return "failed";
}

static enum regime regime_of(sqlite3_stmt *st, int col)
{
	const char *text = (const char *)sqlite3_column_text(st, col);
	int i;

	for (i = REGIME_NONE; text && i <= REGIME_MIXED; i++)
		if (!strcmp(regime_names[i], text))
			return (enum regime)i;
	return REGIME_NONE;
}

static int read_run(struct store *s, sqlite3_stmt *st, void *into)
{
	struct result *r = into;

	(void)s;
	copy_text(r->key, sizeof(r->key), st, 0);
	r->design = text_of(st, 1);
	r->workload = text_of(st, 2);
	r->machine = text_of(st, 3);
	r->nr_threads = (u32)u64_of(st, 4);
	r->seed = u64_of(st, 5);
	r->replications = (u32)u64_of(st, 6);
	r->state = state_of(st, 7);
	r->error = text_of(st, 8);
	r->regime = regime_of(st, 9);
	r->version = text_of(st, 10);
	r->repeat = text_of(st, 11);
	r->elapsed_s = real_of(st, 12);
	return 0;
}

/* One more element of an array; the new one is zero. NULL without memory. */
static void *grow(void **array, size_t *nr, size_t size)
{
	void *more = realloc(*array, (*nr + 1) * size);

	if (!more)
		return NULL;
	*array = more;
	return memset((char *)more + (*nr)++ * size, 0, size);
}

static int read_param(struct store *s, sqlite3_stmt *st, void *into)
{
	struct result *r = into;
	struct result_param *p = grow((void **)&r->param, &r->nr_params,
				      sizeof(*p));

	if (!p)
		return store_failf(s, -ENOMEM, "out of memory");
	p->name = text_of(st, 0);
	p->value = text_of(st, 1);
	return 0;
}

/* A metric that this version doesn't know is of no use to it. */
static int read_metric(struct store *s, sqlite3_stmt *st, void *into)
{
	struct result *r = into;
	int m = metric_find((const char *)sqlite3_column_text(st, 0));

	(void)s;
	if (m < 0)
		return 0;
	r->metric[m].mean = real_of(st, 1);
	r->metric[m].ci95 = real_of(st, 2);
	return 0;
}

static int read_lock(struct store *s, sqlite3_stmt *st, void *into)
{
	struct result *r = into;
	struct lock_counts *l = grow((void **)&r->lock, &r->nr_locks,
				     sizeof(*l));

	if (!l)
		return store_failf(s, -ENOMEM, "out of memory");
	copy_text(l->name, sizeof(l->name), st, 0);
	copy_text(l->type, sizeof(l->type), st, 1);
	l->nr_locks = (u32)u64_of(st, 2);
	l->acquisitions = u64_of(st, 3);
	l->contentions = u64_of(st, 4);
	l->acq_bounces = u64_of(st, 5);
	l->con_bounces = u64_of(st, 6);
	l->pending = u64_of(st, 7);
	l->handovers = u64_of(st, 8);
	l->far = u64_of(st, 9);
	l->wait_total = u64_of(st, 10);
	l->wait_min = least_of(st, 11);
	l->wait_max = u64_of(st, 12);
	l->hold_total = u64_of(st, 13);
	l->hold_min = least_of(st, 14);
	l->hold_max = u64_of(st, 15);
	return 0;
}

static int read_line(struct store *s, sqlite3_stmt *st, void *into)
{
	struct result *r = into;
	struct line_counts *l = grow((void **)&r->line, &r->nr_lines,
				     sizeof(*l));

	if (!l)
		return store_failf(s, -ENOMEM, "out of memory");
	copy_text(l->name, sizeof(l->name), st, 0);
	l->nr_lines = (u32)u64_of(st, 1);
	l->accesses = u64_of(st, 2);
	l->transfers_near = u64_of(st, 3);
	l->transfers_far = u64_of(st, 4);
	l->wait_total = u64_of(st, 5);
	l->transfer_total = u64_of(st, 6);
	return 0;
}

static int read_profile(struct store *s, sqlite3_stmt *st, void *into)
{
	struct result *r = into;
	struct profile_row *p = grow((void **)&r->profile, &r->nr_profile,
				     sizeof(*p));

	if (!p)
		return store_failf(s, -ENOMEM, "out of memory");
	copy_text(p->symbol, sizeof(p->symbol), st, 0);
	p->self_pct = real_of(st, 1);
	p->children_pct = real_of(st, 2);
	return 0;
}

static int read_hist(struct store *s, sqlite3_stmt *st, void *into)
{
	struct result *r = into;
	const char *name = (const char *)sqlite3_column_text(st, 0);
	struct hist **h = !strcmp(name, "pair") ? &r->pair :
		!strcmp(name, "alloc") ? &r->alloc :
		!strcmp(name, "free") ? &r->free : NULL;

	if (!h)
		return 0;
	*h = malloc(sizeof(**h));
	if (!*h)
		return store_failf(s, -ENOMEM, "out of memory");
	if (hist_decode(*h, sqlite3_column_blob(st, 1),
			(size_t)sqlite3_column_bytes(st, 1)))
		return store_failf(s, -EUCLEAN, "damaged histogram '%s'", name);
	return 0;
}

/* What a result is read from; each takes the run's id as its parameter. */
static const struct {
	const char *sql;
	int (*read)(struct store *s, sqlite3_stmt *st, void *into);
} parts[] = {
	{ "SELECT key, design, workload, machine, nr_threads, seed,"
	  " replications, state, error, regime, version, repeat, elapsed_s"
	  " FROM run WHERE id = ?", read_run },
	{ "SELECT name, value FROM param WHERE run_id = ? ORDER BY name",
	  read_param },
	{ "SELECT name, mean, ci95 FROM metric WHERE run_id = ?", read_metric },
	{ "SELECT name, type, nr_locks, acquisitions, contentions,"
	  " acq_bounces, con_bounces, pending, handovers, far, wait_ps_total,"
	  " wait_ps_min, wait_ps_max, hold_ps_total, hold_ps_min, hold_ps_max"
	  " FROM lock_stat WHERE run_id = ? ORDER BY seq", read_lock },
	{ "SELECT name, nr_lines, accesses, transfers_near, transfers_far,"
	  " wait_ps_total, transfer_ps_total"
	  " FROM line_stat WHERE run_id = ? ORDER BY seq", read_line },
	{ "SELECT symbol, self_pct, children_pct"
	  " FROM profile WHERE run_id = ? ORDER BY seq", read_profile },
	{ "SELECT name, data FROM histogram WHERE run_id = ?", read_hist },
};

static int load_part(struct store *s, size_t part, s64 id, struct result *r)
{
	sqlite3_stmt *st;
	int rc = prepare(s, parts[part].sql, &st);

	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, id);
	while (!(rc = next(s, st))) {
		rc = parts[part].read(s, st, r);
		if (rc)
			break;
	}
	sqlite3_finalize(st);
	return rc == -ENODATA ? 0 : rc;
}

int store_load(struct store *s, s64 id, struct result *r)
{
	size_t i;
	int rc = 0;

	memset(r, 0, sizeof(*r));
	for (i = 0; i < NR_METRICS; i++)
		r->metric[i] = (struct metric_value){ NAN, NAN };
	for (i = 0; !rc && i < ARRAY_SIZE(parts); i++)
		rc = load_part(s, i, id, r);
	if (!rc && !r->key[0])
		rc = store_failf(s, -ENOENT, "no run %lld", (long long)id);
	if (rc)
		result_free(r);
	return rc;
}
