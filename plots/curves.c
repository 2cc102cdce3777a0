/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/curves.h"

/*
 * ?1 axis, ?2 key, ?3 number of runs; filters follow from ?4, since a plain `?`
 * is one more than the largest number before it. `same` is the text of all
 * parameters that runs of one set share; keys of the design itself begin with
 * its name.
 */
static const char head_sql[] =
	"WITH candidate AS (SELECT id, design, workload, machine,"
	" pair_ns, pair_ns_ci95, regime,"
	" (SELECT value FROM param WHERE run_id = run.id AND name = ?1) AS x,"
	" coalesce((SELECT ':' || value FROM param WHERE run_id = run.id"
	" AND name = ?2), '') AS kind"
	" FROM run WHERE state = 'done' AND pair_ns IS NOT NULL AND ?3 > 0";
static const char filter_sql[] =
	" AND EXISTS (SELECT 1 FROM param WHERE run_id = run.id"
	" AND name = ? AND value = ?)";
static const char tail_sql[] =
	" ORDER BY id DESC LIMIT ?3),"
	" signed AS (SELECT c.*, (SELECT group_concat(line, '') FROM"
	" (SELECT name || '=' || value || char(10) AS line FROM param"
	" WHERE run_id = c.id AND name NOT IN ('design', ?1,"
	" coalesce(?2, ''), 'loops', 'duration', 'replications', 'ci')"
	" AND substr(name, 1, length(c.design) + 1) <> c.design || '.'"
	" AND substr(name, 1, 5) <> 'lock.'"
	" ORDER BY name)) AS same FROM candidate c WHERE x IS NOT NULL),"
	" best AS (SELECT same FROM signed GROUP BY same ORDER BY"
	" count(DISTINCT x) DESC,"
	" count(DISTINCT design || kind || ' ' || x) DESC, max(id) DESC"
	" LIMIT 1)"
	" SELECT design || kind, x, pair_ns, pair_ns_ci95, regime, workload,"
	" machine, same, max(id)"
	" FROM signed WHERE same IS (SELECT same FROM best)"
	" GROUP BY design, kind, x";

static char *make_sql(size_t nr_filters)
{
	char *sql = NULL;
	size_t size;
	FILE *f = open_memstream(&sql, &size);

	if (!f)
		return NULL;
	fputs(head_sql, f);
	for (size_t i = 0; i < nr_filters; i++)
		fputs(filter_sql, f);
	fputs(tail_sql, f);
	if (fclose(f)) {
		free(sql);
		return NULL;
	}
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
	const char *x = (const char *)sqlite3_column_text(q, 1);
	struct curve_point *p = reallocarray(c->p, c->nr + 1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	c->p = p;
	p += c->nr++;
	*p = (struct curve_point) {
		.curve = column_text(q, 0), .x = x ? strtod(x, NULL) : NAN,
		.pair_ns = column_real(q, 2), .ci95 = column_real(q, 3),
		.regime = column_text(q, 4),
	};
	if (c->nr == 1) {
		c->workload = column_text(q, 5);
		c->machine = column_text(q, 6);
		c->params = column_text(q, 7);
	}
	if (!p->curve || !p->regime || !c->workload || !c->machine ||
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

static int by_x(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int by_curve(const void *va, const void *vb)
{
	const struct curve_point *a = va, *b = vb;
	int rc = strcmp(a->curve, b->curve);

	return rc ? rc : (a->x > b->x) - (a->x < b->x);
}

static int index_points(struct curves *c)
{
	size_t nr = 0;

	qsort(c->p, c->nr, sizeof(*c->p), by_curve);
	for (size_t i = 0; i < c->nr; i++)
		if ((!i || strcmp(c->p[i].curve, c->p[i - 1].curve)) &&
		    c->nr_names < CURVES_NR_MAX)
			c->name[c->nr_names++] = c->p[i].curve;
	c->x = calloc(c->nr, sizeof(*c->x));
	if (!c->x)
		return -ENOMEM;
	for (size_t i = 0; i < c->nr; i++)
		c->x[i] = c->p[i].x;
	qsort(c->x, c->nr, sizeof(*c->x), by_x);
	for (size_t i = 0; i < c->nr; i++)
		if (!i || c->x[i] != c->x[nr - 1])
			c->x[nr++] = c->x[i];
	c->nr_x = nr;
	return 0;
}

static int run_query(struct store *s, const struct plot_options *o,
		     const char *axis, const char *key, struct curves *c)
{
	char *sql = make_sql(o->nr_filters);
	sqlite3_stmt *q = NULL;
	int at = 4, rc;

	if (!sql)
		return -ENOMEM;
	rc = sqlite3_prepare_v2(store_db(s), sql, -1, &q, NULL);
	free(sql);
	if (rc)
		return -EIO;
	sqlite3_bind_text(q, 1, axis, -1, SQLITE_STATIC);
	sqlite3_bind_text(q, 2, key, -1, SQLITE_STATIC);
	sqlite3_bind_int(q, 3, CURVES_NR_RUNS_MAX);
	for (size_t i = 0; i < o->nr_filters; i++) {
		sqlite3_bind_text(q, at++, o->filter[i].name, -1,
				  SQLITE_STATIC);
		sqlite3_bind_text(q, at++, o->filter[i].value, -1,
				  SQLITE_STATIC);
	}
	rc = read_points(c, q);
	sqlite3_finalize(q);
	return rc;
}

int curves_read(struct store *s, const struct plot_options *o,
		const char *axis, const char *key, struct curves *c, char *err,
		size_t err_size)
{
	int rc;

	*c = (struct curves) { 0 };
	rc = run_query(s, o, axis, key, c);
	if (!rc && !c->nr) {
		rc = -ENODATA;
		snprintf(err, err_size, "%s: no finished run%s; vmapsim sweep "
			 "makes some", store_path(s), o->nr_filters ?
			 " with these values" : "");
	} else if (!rc) {
		rc = index_points(c);
	}
	if (rc == -EIO)
		snprintf(err, err_size, "%s: %s", store_path(s),
			 sqlite3_errmsg(store_db(s)));
	else if (rc == -ENOMEM)
		snprintf(err, err_size, "%s", strerror(ENOMEM));
	if (rc)
		curves_free(c);
	return rc;
}

void curves_free(struct curves *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->p[i].curve);
		free(c->p[i].regime);
	}
	free(c->p);
	free(c->x);
	free(c->workload);
	free(c->machine);
	free(c->params);
	*c = (struct curves) { 0 };
}

const struct curve_point *curves_find(const struct curves *c,
				      const char *curve, double x)
{
	for (size_t i = 0; i < c->nr; i++)
		if (c->p[i].x == x && !strcmp(c->p[i].curve, curve))
			return &c->p[i];
	return NULL;
}

const char *curves_value(const struct curves *c, const char *key, char *buf,
			 size_t size)
{
	size_t nk = strlen(key);

	snprintf(buf, size, "%s", "");
	for (const char *line = c->params; line && *line; ) {
		const char *end = strchr(line, '\n');

		if (end && !strncmp(line, key, nk) && line[nk] == '=')
			snprintf(buf, size, "%.*s",
				 (int)(end - line - (ssize_t)nk - 1),
				 line + nk + 1);
		line = end ? end + 1 : NULL;
	}
	return buf;
}

void curves_put_number(FILE *out, double value)
{
	if (isnan(value))
		fputs("\t-", out);
	else
		fprintf(out, "\t%.6g", value);
}

void curves_put_words(FILE *out, const char *name, const char *const *word,
		      size_t nr)
{
	fprintf(out, "%s = \"", name);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%s%s", i ? " " : "", word[i]);
	fputs("\"\n", out);
}
