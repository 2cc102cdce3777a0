/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing a result: one run row and all that hangs on it, or nothing. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "results/histblob.h"
#include "results/store_int.h"

#define CI_NAME_0(name)
#define CI_NAME_1(name)		", " #name "_ci95"
#define CI_MARK_0
#define CI_MARK_1		", ?"
#define NAME(name, ci)		", " #name CI_NAME_##ci(name)
#define MARK(name, ci)		", ?" CI_MARK_##ci

static const char insert_run[] =
	"INSERT INTO run (key, campaign_id, design, workload, machine,"
	" nr_threads, seed, replications, state, error, regime, version,"
	" repeat, elapsed_s, created" STORE_RUN_METRICS(NAME) ") VALUES"
	" (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?" STORE_RUN_METRICS(MARK) ")";

static const struct {
	enum metric metric;
	bool ci;
} run_metrics[] = {
#define ENTRY(name, ci) { METRIC_##name, ci },
	STORE_RUN_METRICS(ENTRY)
};

/*
 * Binds the rest by types, in order from parameter 1: t text or NULL, i s64,
 * k s64 key, NULL for 0, u u64 (its bits), m u64 that is NULL beyond 63 bits
 * ("none yet"), r double (NAN becomes NULL). Text must outlive the step.
 */
static void bind(sqlite3_stmt *st, const char *types, va_list ap)
{
	s64 value;
	int i;

	for (i = 1; *types; types++, i++) {
		switch (*types) {
		case 't':
			sqlite3_bind_text(st, i, va_arg(ap, const char *), -1,
					  SQLITE_STATIC);
			break;
		case 'r':
			sqlite3_bind_double(st, i, va_arg(ap, double));
			break;
		default:
			value = va_arg(ap, s64);
			if ((*types == 'm' && value < 0) ||
			    (*types == 'k' && !value))
				sqlite3_bind_null(st, i);
			else
				sqlite3_bind_int64(st, i, value);
		}
	}
}

static int put_row(struct store *s, sqlite3_stmt *st, const char *types, ...)
{
	va_list ap;

	va_start(ap, types);
	bind(st, types, ap);
	va_end(ap);
	sqlite3_step(st);
	if (sqlite3_reset(st) != SQLITE_OK)
		return store_fail(s);
	return 0;
}

static int prepare(struct store *s, const char *sql, sqlite3_stmt **st)
{
	if (sqlite3_prepare_v2(s->db, sql, -1, st, NULL) != SQLITE_OK)
		return store_fail(s);
	return 0;
}

static int put_run(struct store *s, const struct result *r, s64 campaign,
		   s64 *id)
{
	sqlite3_stmt *st;
	size_t i;
	int col = 16, rc = prepare(s, insert_run, &st);

	if (rc)
		return rc;
	for (i = 0; i < ARRAY_SIZE(run_metrics); i++) {
		const struct metric_value *v =
			&r->metric[run_metrics[i].metric];

		sqlite3_bind_double(st, col++, v->mean);
		if (run_metrics[i].ci)
			sqlite3_bind_double(st, col++, v->ci95);
	}
	rc = put_row(s, st, "tktttiuitttttri", r->key, campaign,
		     r->design ? r->design : "-", r->workload, r->machine,
		     (s64)r->nr_threads, r->seed,
		     (s64)r->replications, r->state, r->error,
		     regime_names[r->regime], r->version, r->repeat,
		     r->elapsed_s, (s64)time(NULL));
	sqlite3_finalize(st);
	*id = sqlite3_last_insert_rowid(s->db);
	return rc;
}

static int put_params(struct store *s, const struct result *r, s64 id)
{
	sqlite3_stmt *st;
	size_t i;
	int rc = prepare(s, "INSERT INTO param (run_id, name, value)"
			 " VALUES (?,?,?)", &st);

	for (i = 0; !rc && i < r->nr_params; i++)
		rc = put_row(s, st, "itt", id, r->param[i].name,
			     r->param[i].value);
	sqlite3_finalize(st);
	return rc;
}

static int put_metrics(struct store *s, const struct result *r, s64 id)
{
	sqlite3_stmt *st;
	size_t i;
	int rc = prepare(s, "INSERT INTO metric (run_id, name, mean, ci95,"
			 " unit) VALUES (?,?,?,?,?)", &st);

	for (i = 0; !rc && i < NR_METRICS; i++) {
		if (r->metric[i].mean != r->metric[i].mean)
			continue;	/* NAN: does not apply */
		rc = put_row(s, st, "itrrt", id, metric_descs[i].name,
			     r->metric[i].mean, r->metric[i].ci95,
			     metric_descs[i].unit);
	}
	sqlite3_finalize(st);
	return rc;
}

static int put_locks(struct store *s, const struct result *r, s64 id)
{
	sqlite3_stmt *st;
	size_t i;
	int rc = prepare(s, "INSERT INTO lock_stat (run_id, seq, name, type,"
			 " nr_locks, acquisitions, contentions, acq_bounces,"
			 " con_bounces, pending, handovers, far, wait_ps_total,"
			 " wait_ps_min, wait_ps_max, hold_ps_total,"
			 " hold_ps_min, hold_ps_max)"
			 " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", &st);

	for (i = 0; !rc && i < r->nr_locks; i++) {
		const struct lock_counts *l = &r->lock[i];

		rc = put_row(s, st, "iittiuuuuuuuumuumu", id, (s64)i, l->name,
			     l->type, (s64)l->nr_locks, l->acquisitions,
			     l->contentions, l->acq_bounces, l->con_bounces,
			     l->pending, l->handovers, l->far, l->wait_total,
			     l->wait_min, l->wait_max, l->hold_total,
			     l->hold_min, l->hold_max);
	}
	sqlite3_finalize(st);
	return rc;
}

static int put_lines(struct store *s, const struct result *r, s64 id)
{
	sqlite3_stmt *st;
	size_t i;
	int rc = prepare(s, "INSERT INTO line_stat (run_id, seq, name,"
			 " nr_lines, accesses, transfers_near, transfers_far,"
			 " wait_ps_total, transfer_ps_total)"
			 " VALUES (?,?,?,?,?,?,?,?,?)", &st);

	for (i = 0; !rc && i < r->nr_lines; i++) {
		const struct line_counts *l = &r->line[i];

		rc = put_row(s, st, "iitiuuuuu", id, (s64)i, l->name,
			     (s64)l->nr_lines, l->accesses, l->transfers_near,
			     l->transfers_far, l->wait_total,
			     l->transfer_total);
	}
	sqlite3_finalize(st);
	return rc;
}

static int put_profile(struct store *s, const struct result *r, s64 id)
{
	sqlite3_stmt *st;
	size_t i;
	int rc = prepare(s, "INSERT INTO profile (run_id, seq, symbol,"
			 " self_pct, children_pct) VALUES (?,?,?,?,?)", &st);

	for (i = 0; !rc && i < r->nr_profile; i++)
		rc = put_row(s, st, "iitrr", id, (s64)i, r->profile[i].symbol,
			     r->profile[i].self_pct,
			     r->profile[i].children_pct);
	sqlite3_finalize(st);
	return rc;
}

static int put_hist(struct store *s, s64 id, const char *name,
		    const struct hist *h)
{
	sqlite3_stmt *st;
	size_t size;
	u8 *data;
	int rc;

	if (!h)
		return 0;
	data = hist_encode(h, &size);
	if (!data)
		return store_failf(s, -ENOMEM, "out of memory");
	rc = prepare(s, "INSERT INTO histogram (run_id, name, count, min_ps,"
		     " max_ps, data) VALUES (?,?,?,?,?,?)", &st);
	if (!rc) {
		sqlite3_bind_blob64(st, 6, data, size, SQLITE_STATIC);
		rc = put_row(s, st, h->count ? "ituuu" : "itumm", id, name,
			     h->count, h->count ? h->min : ~0ull,
			     h->count ? h->max : ~0ull);
		sqlite3_finalize(st);
	}
	free(data);
	return rc;
}

/* 1 when the key is there and finished; an unfinished one is removed. */
static int make_room(struct store *s, const struct result *r)
{
	sqlite3_stmt *st;
	int rc = store_is_done(s, r->key);

	if (rc)
		return rc;
	rc = prepare(s, "DELETE FROM run WHERE key = ?", &st);
	if (!rc)
		rc = put_row(s, st, "t", r->key);
	sqlite3_finalize(st);
	return rc;
}

static int put_all(struct store *s, const struct result *r, s64 campaign,
		   unsigned int flags, s64 *id)
{
	int rc = put_run(s, r, campaign, id);

	if (!rc)
		rc = put_params(s, r, *id);
	if (!rc)
		rc = put_metrics(s, r, *id);
	if (!rc)
		rc = put_locks(s, r, *id);
	if (!rc)
		rc = put_lines(s, r, *id);
	if (!rc)
		rc = put_profile(s, r, *id);
	if (rc || !(flags & STORE_HISTOGRAMS))
		return rc;
	rc = put_hist(s, *id, "pair", r->pair);
	if (!rc)
		rc = put_hist(s, *id, "alloc", r->alloc);
	if (!rc)
		rc = put_hist(s, *id, "free", r->free);
	return rc;
}

int store_put(struct store *s, const struct result *r, s64 campaign,
	      unsigned int flags, s64 *id)
{
	s64 run_id = 0;
	int rc = store_enter(s);

	if (rc)
		return rc;
	rc = make_room(s, r);
	if (rc == 1)
		store_find(s, r->key, &run_id);
	else if (!rc)
		rc = put_all(s, r, campaign, flags, &run_id);
	rc = store_leave(s, rc);
	if (id && rc >= 0)
		*id = run_id;
	return rc;
}

s64 store_campaign(struct store *s, const char *command, const char *version,
		   u64 nr_points)
{
	sqlite3_stmt *st;
	s64 id = 0;
	int rc = store_enter(s);

	if (rc)
		return rc;
	rc = prepare(s, "INSERT INTO campaign (command, version, nr_points,"
		     " created, uid)"
		     " VALUES (?,?,?,?, lower(hex(randomblob(16))))", &st);
	if (!rc)
		rc = put_row(s, st, "ttui", command, version, nr_points,
			     (s64)time(NULL));
	sqlite3_finalize(st);
	id = sqlite3_last_insert_rowid(s->db);
	rc = store_leave(s, rc);
	return rc ? rc : id;
}
