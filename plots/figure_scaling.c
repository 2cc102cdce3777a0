/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time of a pair by number of jobs, with what was published of it. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/curves.h"
#include "plots/figures.h"
#include "results/published.h"
#include "sim/datadir.h"

/* The published curves that a set of runs can be laid beside. */
static const struct {
	const char *machine, *workload;	/* of the runs */
	const char *key, *value;	/* that they have besides; or NULL */
	const char *file, *jobs;
	const char *design[4], *column[4];	/* NULL ends them; usec */
} curve_files[] = {
	{ "threadripper-3970x", "pair", "pair.pages", "1",
	  "seed-v1-jobs.csv", "jobs", { "global", "zone" },
	  { "default_1page_usec_per_pair", "patched_v1_1page_usec_per_pair" } },
};

struct table {
	const struct curves *c;
	struct published pub;
	size_t at;			/* of curve_files; nr: none */
	ssize_t jobs, column[4];
};

static bool fits(const struct curves *c, size_t i)
{
	char value[64];

	return !strcmp(c->machine, curve_files[i].machine) &&
	       !strcmp(c->workload, curve_files[i].workload) &&
	       (!curve_files[i].key ||
		!strcmp(curves_value(c, curve_files[i].key, value,
				     sizeof(value)), curve_files[i].value));
}

/* Leaves t->at beyond the end when there is nothing published. */
static int read_published(struct table *t, char *err, size_t err_size)
{
	char path[PATH_MAX];
	int rc;

	for (t->at = 0; t->at < ARRAY_SIZE(curve_files); t->at++)
		if (fits(t->c, t->at))
			break;
	if (t->at == ARRAY_SIZE(curve_files))
		return 0;
	rc = datadir_path("published", curve_files[t->at].file, path,
			  sizeof(path));
	if (rc) {
		snprintf(err, err_size, "%s: %s", path, strerror(-rc));
		return rc;
	}
	rc = published_read(&t->pub, path, err, err_size);
	if (rc)
		return rc;
	t->jobs = published_column(&t->pub, curve_files[t->at].jobs);
	for (size_t k = 0; curve_files[t->at].design[k]; k++) {
		t->column[k] = published_column(&t->pub,
						curve_files[t->at].column[k]);
		if (t->jobs < 0 || t->column[k] < 0) {
			snprintf(err, err_size, "%s:1:1: no column %s", path,
				 curve_files[t->at].column[k]);
			return -EINVAL;
		}
	}
	return 0;
}

static const char *const *published_designs(const struct table *t)
{
	static const char *const none[] = { NULL };

	return t->at < ARRAY_SIZE(curve_files) ? curve_files[t->at].design :
						 none;
}

static double published_at(const struct table *t, size_t k, double jobs)
{
	for (size_t i = 0; i < t->pub.nr_rows; i++)
		if (published_value(&t->pub, i, (size_t)t->jobs) == jobs)
			return published_value(&t->pub, i,
					       (size_t)t->column[k]);
	return NAN;
}

static void put_row(const struct table *t, FILE *out, double jobs)
{
	fprintf(out, "%.0f", jobs);
	for (size_t k = 0; published_designs(t)[k]; k++)
		curves_put_number(out, published_at(t, k, jobs));
	for (size_t d = 0; d < t->c->nr_names; d++) {
		const struct curve_point *p = curves_find(t->c, t->c->name[d],
							  jobs);

		curves_put_number(out, p ? p->pair_ns / 1000 : NAN);
		/* without an interval the point is drawn all the same */
		curves_put_number(out, !p ? NAN : isnan(p->ci95) ? 0 :
				  p->ci95 / 1000);
	}
	putc('\n', out);
}

static int by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* All numbers of threads, of runs and of what was published, each once. */
static int put_rows(const struct table *t, FILE *out)
{
	size_t nr = 0;
	double *n = calloc(t->c->nr_x + t->pub.nr_rows + 1, sizeof(*n));

	if (!n)
		return -ENOMEM;
	for (size_t i = 0; i < t->c->nr_x; i++)
		n[nr++] = t->c->x[i];
	for (size_t i = 0; i < t->pub.nr_rows; i++)
		n[nr++] = published_value(&t->pub, i, (size_t)t->jobs);
	qsort(n, nr, sizeof(*n), by_number);
	for (size_t i = 0; i < nr; i++)
		if (!i || n[i] != n[i - 1])
			put_row(t, out, n[i]);
	free(n);
	return 0;
}

static void put_head(const struct table *t, FILE *table, FILE *head)
{
	const char *const *published = published_designs(t);
	size_t nr = 0;

	while (published[nr])
		nr++;
	curves_put_words(head, "designs", t->c->name, t->c->nr_names);
	curves_put_words(head, "published", published, nr);
	fprintf(head, "heading = \"%s, %s\"\n", t->c->workload,
		t->c->machine);
	fputs("jobs", table);
	for (size_t k = 0; k < nr; k++)
		fprintf(table, "\tpublished:%s", published[k]);
	for (size_t d = 0; d < t->c->nr_names; d++)
		fprintf(table, "\t%s\t%s:ci95", t->c->name[d], t->c->name[d]);
	putc('\n', table);
}

static int data(struct store *s, const struct plot_options *o, FILE *table,
		FILE *head, char *err, size_t err_size)
{
	struct curves c;
	struct table t = { .c = &c };
	int rc = curves_read(s, o, "nr_threads", NULL, &c, err, err_size);

	if (rc)
		return rc;
	rc = read_published(&t, err, err_size);
	if (!rc) {
		put_head(&t, table, head);
		rc = put_rows(&t, table);
	}
	published_free(&t.pub);
	curves_free(&c);
	return rc;
}

const struct figure figure_scaling = {
	.name = "scaling",
	.help = "time of a pair by number of jobs, published and simulated",
	.data = data,
};
