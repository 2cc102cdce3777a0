/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many runs: a row each, with what differs between them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "results/json.h"
#include "sim/version.h"

struct runs {
	const struct result **r;	/* those with a state */
	size_t nr;
	const char **axis;		/* names of parameters that differ */
	size_t nr_axes;
};

static const char *value_of(const struct result *r, const char *name)
{
	for (size_t i = 0; i < r->nr_params; i++)
		if (!strcmp(r->param[i].name, name))
			return r->param[i].value;
	return NULL;
}

static bool varies(const struct runs *runs, const char *name)
{
	const char *first = NULL;

	for (size_t i = 0; i < runs->nr; i++) {
		const char *value = value_of(runs->r[i], name);

		if (value && first && strcmp(value, first))
			return true;
		if (value)
			first = value;
	}
	return false;
}

static bool is_axis(const struct runs *runs, const char *name)
{
	for (size_t i = 0; i < runs->nr_axes; i++)
		if (!strcmp(runs->axis[i], name))
			return true;
	return false;
}

static int add_axis(struct runs *runs, const char *name)
{
	const char **axis;

	if (is_axis(runs, name))
		return 0;
	axis = realloc(runs->axis, (runs->nr_axes + 1) * sizeof(*axis));
	if (!axis)
		return -ENOMEM;
	runs->axis = axis;
	axis[runs->nr_axes++] = name;
	return 0;
}

static bool same_keys(const struct result *a, const struct result *b)
{
	return !strcmp(a->design, b->design) &&
	       !strcmp(a->workload, b->workload);
}

/* design first; the other keys in their order. */
static int find_axes(struct runs *runs)
{
	int rc = varies(runs, "design") ? add_axis(runs, "design") : 0;

	for (size_t i = 0; i < runs->nr && !rc; i++) {
		const struct result *r = runs->r[i];

		if (i && same_keys(r, runs->r[i - 1]))
			continue;
		for (size_t k = 0; k < r->nr_params && !rc; k++)
			if (!is_axis(runs, r->param[k].name) &&
			    varies(runs, r->param[k].name))
				rc = add_axis(runs, r->param[k].name);
	}
	if (!rc && !runs->nr_axes)
		rc = add_axis(runs, "design");
	if (!rc && runs->nr_axes == 1 && !strcmp(runs->axis[0], "design"))
		rc = add_axis(runs, "nr_threads");
	return rc;
}

/* As a number where it is one, so that it stands to the right. */
static void put_value(struct table *t, const char *value)
{
	char *end;
	long long n;

	errno = 0;
	n = value ? strtoll(value, &end, 10) : 0;
	if (value && *value && !*end && !errno)
		table_int(t, n);
	else
		table_text(t, value);
}

static int print_people(const struct cli *c, FILE *out,
			const struct runs *runs)
{
	static const struct table_column figure[] = {
		{ "pair", TABLE_NS }, { "+-", TABLE_NS },
		{ "pairs/s", TABLE_PLAIN }, { "p99", TABLE_NS },
		{ "regime", TABLE_PLAIN },
	};
	size_t nr = runs->nr_axes + ARRAY_SIZE(figure);
	struct table_column *column = calloc(nr, sizeof(*column));
	struct table *t = NULL;
	int rc = -ENOMEM;

	for (size_t i = 0; column && i < nr; i++)
		column[i] = i < runs->nr_axes ?
			(struct table_column) { runs->axis[i], TABLE_PLAIN } :
			figure[i - runs->nr_axes];
	if (column)
		t = table_begin(out, c->format, column, nr);
	for (size_t i = 0; t && i < runs->nr; i++) {
		const struct result *r = runs->r[i];
		const struct metric_value *m = r->metric;

		for (size_t k = 0; k < runs->nr_axes; k++)
			put_value(t, value_of(r, runs->axis[k]));
		table_real(t, m[METRIC_pair_ns].mean);
		table_real(t, m[METRIC_pair_ns].ci95);
		table_real(t, m[METRIC_throughput_per_s].mean);
		table_real(t, m[METRIC_latency_ns_p99].mean);
		table_text(t, strcmp(r->state, "done") ? r->state :
			   regime_names[r->regime]);
	}
	if (t)
		rc = table_end(t);
	free(column);
	return rc;
}

static const char *const identity[] = {
	"key", "design", "workload", "machine", "nr_threads", "seed",
	"replications", "state", "error", "regime",
};

static bool is_identity(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(identity); i++)
		if (!strcmp(identity[i], name))
			return true;
	return false;
}

static void put_identity(struct table *t, const struct result *r)
{
	table_text(t, r->key);
	table_text(t, r->design);
	table_text(t, r->workload);
	table_text(t, r->machine);
	table_int(t, r->nr_threads);
	table_int(t, (s64)r->seed);
	table_int(t, r->replications);
	table_text(t, r->state);
	table_text(t, r->error);
	table_text(t, regime_names[r->regime]);
}

/* Columns for machines: identity, what differs, all metrics with intervals. */
static size_t machine_columns(const struct runs *runs,
			      struct table_column *column,
			      char (*ci_name)[48])
{
	size_t nr = 0;

	for (size_t i = 0; i < ARRAY_SIZE(identity); i++)
		column[nr++].name = identity[i];
	for (size_t i = 0; i < runs->nr_axes; i++)
		if (!is_identity(runs->axis[i]))
			column[nr++].name = runs->axis[i];
	for (int m = 0; m < NR_METRICS; m++) {
		snprintf(ci_name[m], sizeof(*ci_name), "%s_ci95",
			 metric_descs[m].name);
		column[nr++].name = metric_descs[m].name;
		column[nr++].name = ci_name[m];
	}
	return nr;
}

static int print_machine(const struct cli *c, FILE *out,
			 const struct runs *runs)
{
	size_t nr = ARRAY_SIZE(identity) + runs->nr_axes + 2 * NR_METRICS;
	struct table_column *column = calloc(nr, sizeof(*column));
	char (*ci_name)[48] = calloc(NR_METRICS, sizeof(*ci_name));
	struct table *t = NULL;
	int rc = -ENOMEM;

	if (column && ci_name) {
		nr = machine_columns(runs, column, ci_name);
		t = table_begin(out, c->format, column, nr);
	}
	for (size_t i = 0; t && i < runs->nr; i++) {
		const struct result *r = runs->r[i];

		put_identity(t, r);
		for (size_t k = 0; k < runs->nr_axes; k++)
			if (!is_identity(runs->axis[k]))
				table_text(t, value_of(r, runs->axis[k]));
		for (int m = 0; m < NR_METRICS; m++) {
			table_real(t, r->metric[m].mean);
			table_real(t, r->metric[m].ci95);
		}
	}
	if (t)
		rc = table_end(t);
	free(ci_name);
	free(column);
	return rc;
}

int runs_print_many(const struct cli *c, FILE *out, const struct result *r,
		    size_t nr)
{
	struct runs runs = { .r = calloc(nr + 1, sizeof(*runs.r)) };
	int rc = 0;

	if (!runs.r)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		if (r[i].state)
			runs.r[runs.nr++] = &r[i];
	if (c->format == TABLE_JSON) {
		rc = runs_json_write(out, version_program(), runs.r, runs.nr);
		goto out;
	}
	rc = find_axes(&runs);
	if (!rc && c->format == TABLE_TEXT)
		rc = runs_print_heading(c, out, runs.nr ? runs.r[0] : NULL);
	if (rc)
		goto out;
	if (c->format == TABLE_TEXT || c->format == TABLE_MD)
		rc = print_people(c, out, &runs);
	else
		rc = print_machine(c, out, &runs);
out:
	free(runs.axis);
	free(runs.r);
	return rc;
}
