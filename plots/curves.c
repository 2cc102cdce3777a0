/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/curves.h"

/*
 * `same` is the text of all parameters that runs of one set share. Keys of the
 * design itself begin with its name.
 */
static const char head_sql[] =
	"WITH candidate AS (SELECT id, design, workload, machine, nr_threads,"
	" pair_ns, pair_ns_ci95, regime FROM run"
	" WHERE state = 'done' AND pair_ns IS NOT NULL";
static const char filter_sql[] =
	" AND EXISTS (SELECT 1 FROM param WHERE run_id = run.id"
	" AND name = ? AND value = ?)";
static const char tail_sql[] =
	" ORDER BY id DESC LIMIT ?),"
	" signed AS (SELECT c.*, (SELECT group_concat(line, '') FROM"
	" (SELECT name || '=' || value || char(10) AS line FROM param"
	" WHERE run_id = c.id AND name NOT IN ('design', 'nr_threads', 'loops',"
	" 'duration', 'replications', 'ci')"
	" AND substr(name, 1, length(c.design) + 1) <> c.design || '.'"
	" AND substr(name, 1, 5) <> 'lock.'"
	" ORDER BY name)) AS same FROM candidate c),"
	" best AS (SELECT same FROM signed GROUP BY same ORDER BY"
	" count(DISTINCT design || ' ' || nr_threads) DESC, max(id) DESC"
	" LIMIT 1)"
	" SELECT design, nr_threads, pair_ns, pair_ns_ci95, regime, workload,"
	" machine, same, max(id),"
	" (SELECT count(*) FROM signed) - (SELECT count(*) FROM signed"
	" WHERE same IS (SELECT same FROM best))"
	" FROM signed WHERE same IS (SELECT same FROM best)"
	" GROUP BY design, nr_threads ORDER BY design, nr_threads";

static char *make_sql(size_t nr_filters)
{
	size_t size = sizeof(head_sql) + sizeof(tail_sql) +
		      nr_filters * sizeof(filter_sql);
	char *sql = malloc(size);

	if (!sql)
		return NULL;
	strcpy(sql, head_sql);
	for (size_t i = 0; i < nr_filters; i++)
		strcat(sql, filter_sql);
	strcat(sql, tail_sql);
	return sql;
}

static char *column_text(sqlite3_stmt *q, int i)
{
	const char *text = (const char *)sqlite3_column_text(q, i);

	return strdup(text ? text : "");
}

static double column_real(sqlite3_stmt *q, int i)
{
	if (sqlite3_column_type(q, i) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(q, i);
}

static int add_point(struct curves *c, sqlite3_stmt *q)
{
	struct curve_point *p = reallocarray(c->p, c->nr + 1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	c->p = p;
	p += c->nr++;
	*p = (struct curve_point) {
		.design = column_text(q, 0),
		.nr_threads = (u32)sqlite3_column_int64(q, 1),
		.pair_ns = column_real(q, 2), .ci95 = column_real(q, 3),
		.regime = column_text(q, 4),
	};
	if (c->nr == 1) {
		c->workload = column_text(q, 5);
		c->machine = column_text(q, 6);
		c->params = column_text(q, 7);
		c->nr_other = (u64)sqlite3_column_int64(q, 9);
	}
	if (!p->design || !p->regime || !c->workload || !c->machine ||
	    !c->params)
		return -ENOMEM;
	return 0;
}

static int read_points(struct curves *c, sqlite3_stmt *q)
{
	int rc;

	while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
		rc = add_point(c, q);
		if (rc)
			return rc;
	}
	return rc == SQLITE_DONE ? 0 : -EIO;
}

int curves_read(struct store *s, const struct plot_options *o,
		struct curves *c, char *err, size_t err_size)
{
	char *sql = make_sql(o->nr_filters);
	sqlite3_stmt *q = NULL;
	int at = 1, rc = -ENOMEM;

	*c = (struct curves) { 0 };
	if (sql && sqlite3_prepare_v2(store_db(s), sql, -1, &q, NULL))
		rc = -EIO;
	else if (sql)
		rc = 0;
	free(sql);
	for (size_t i = 0; i < o->nr_filters && !rc; i++) {
		sqlite3_bind_text(q, at++, o->filter[i].name, -1,
				  SQLITE_STATIC);
		sqlite3_bind_text(q, at++, o->filter[i].value, -1,
				  SQLITE_STATIC);
	}
	if (!rc) {
		sqlite3_bind_int(q, at, CURVES_NR_RUNS_MAX);
		rc = read_points(c, q);
	}
	if (rc == -EIO)
		snprintf(err, err_size, "%s: %s", store_path(s),
			 sqlite3_errmsg(store_db(s)));
	else if (rc)
		snprintf(err, err_size, "%s", strerror(-rc));
	if (!rc && !c->nr) {
		rc = -ENODATA;
		snprintf(err, err_size, "%s: no finished run%s; vmapsim sweep "
			 "makes some", store_path(s), o->nr_filters ?
			 " with these values" : "");
	}
	sqlite3_finalize(q);
	if (rc)
		curves_free(c);
	return rc;
}

void curves_free(struct curves *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->p[i].design);
		free(c->p[i].regime);
	}
	free(c->p);
	free(c->workload);
	free(c->machine);
	free(c->params);
	*c = (struct curves) { 0 };
}

bool curves_have(const struct curves *c, const char *key, const char *value)
{
	size_t nk = strlen(key), nv = strlen(value);

	for (const char *line = c->params; line && *line; ) {
		if (!strncmp(line, key, nk) && line[nk] == '=' &&
		    !strncmp(line + nk + 1, value, nv) &&
		    line[nk + 1 + nv] == '\n')
			return true;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return false;
}
