/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim compare: designs (or stored runs) side by side. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/sweep.h"
#include "models/vmap.h"
#include "results/compare.h"

struct comparison {
	struct compare_item *item;
	struct result *r;
	size_t nr;
	enum metric metric;
	const char *axis;
};

static int find_metric(const struct cli *c, enum metric *metric)
{
	const char *names[NR_METRICS], *name = c->metric ? c->metric :
					       "pair_ns";
	char near[80];
	int found = metric_find(name);

	for (int i = 0; i < NR_METRICS; i++)
		names[i] = metric_descs[i].name;
	if (found < 0)
		return cli_fail(c, EXIT_USAGE, "--metric: found \"%s\", "
				"expected one of vmapsim list metrics%s", name,
				cli_nearest(name, names, NR_METRICS, near,
					    sizeof(near)));
	*metric = (enum metric)found;
	return EXIT_DONE;
}

static int find_axis(const struct cli *c, const char **axis)
{
	*axis = c->axis ? c->axis : "nr_threads";
	if (scenario_desc(*axis))
		return EXIT_DONE;
	return cli_fail(c, EXIT_USAGE, "--axis: found \"%s\", expected one of "
			"vmapsim list params", *axis);
}

/* A point for each design of the command line, all with the same --set. */
static int make_plan(const struct cli *c, struct plan *plan)
{
	struct assignment *a = calloc(c->nr_set + 1, sizeof(*a));
	int status = a ? EXIT_DONE : EXIT_RUN;

	*plan = (struct plan) { 0 };
	if (c->nr_set && a)
		memcpy(a, c->set, c->nr_set * sizeof(*a));
	for (size_t i = 0; i < c->args.nr && !status; i++) {
		char key[] = "design", file[] = "argument";
		struct scenario_error err = { 0 };
		struct plan more = { 0 };
		int rc;

		a[c->nr_set] = (struct assignment) {
			.key = key, .value = c->args.word[i], .file = file,
			.line = i + 1, .key_col = 1, .value_col = 1,
		};
		rc = plan_init(&more, a, c->nr_set + 1, &err);
		if (rc && rc != -ENOMEM)
			status = cli_fail_at(c, EXIT_USAGE, &err);
		else if (rc || plan_append(plan, &more))
			status = cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
		plan_free(&more);
	}
	free(a);
	if (status)
		plan_free(plan);
	return status;
}

static bool is_worse(const struct compare *cmp, double fail_on_pct)
{
	for (size_t row = 0; row < cmp->nr_rows; row++)
		for (size_t col = 1; col < cmp->nr_columns; col++)
			if (compare_better_pct(cmp, row, col) < -fail_on_pct)
				return true;
	return false;
}

static int print(const struct cli *c, const struct comparison *x, FILE *out)
{
	struct compare cmp;
	int rc = compare_init(&cmp, x->item, x->nr, x->axis, x->metric);
	int status = EXIT_DONE;

	if (rc == -ENOENT)
		return cli_fail(c, EXIT_RUN, "no finished run has %s",
				metric_descs[x->metric].name);
	if (!rc && c->format == TABLE_TEXT)
		rc = runs_print_heading(c, out, x->item[0].result);
	if (!rc)
		rc = compare_write(&cmp, out, c->format);
	if (rc == -ENOMEM)
		return cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	if (c->fail_on_pct >= 0 && is_worse(&cmp, c->fail_on_pct))
		status = EXIT_TOLERANCE;
	compare_free(&cmp);
	return status;
}

/* Are all words names of designs? Else they name stored runs. */
static bool all_designs(const struct cli *c)
{
	for (size_t i = 0; i < c->args.nr; i++)
		if (!vmap_design_find(c->args.word[i]) &&
		    !strpbrk(c->args.word[i], "0123456789"))
			return true;	/* a misspelt one, to be told so */
	for (size_t i = 0; i < c->args.nr; i++)
		if (vmap_design_find(c->args.word[i]))
			return true;
	return false;
}

static int load_runs(const struct cli *c, struct comparison *x)
{
	struct store *store;
	int status = input_store(c, &store, STORE_READ);

	if (status)
		return status;
	for (size_t i = 0; i < c->args.nr && !status; i++) {
		s64 id;
		int rc = store_find(store, c->args.word[i], &id);

		if (!rc)
			rc = store_load(store, id, &x->r[i]);
		if (rc) {
			status = cli_fail(c, cli_status(c, rc), "%s",
					  store_error(store));
			x->nr = 0;
			break;
		}
		x->item[i] = (struct compare_item) {
			.column = c->args.word[i], .result = &x->r[i],
		};
		x->nr++;
	}
	store_close(store);
	return status;
}

static int run_designs(const struct cli *c, const struct plan *plan,
		       struct comparison *x)
{
	int status = sweep_execute(c, plan, x->r);

	for (size_t i = 0; i < plan->nr; i++)
		if (x->r[i].state)
			x->item[x->nr++] = (struct compare_item) {
				.column = x->r[i].design,
				.result = &x->r[i],
			};
	return status;
}

static int compare(const struct cli *c, const struct plan *plan,
		   struct comparison *x)
{
	size_t nr = plan ? plan->nr : c->args.nr;
	struct output o;
	int status = output_open(c, &o), printed = EXIT_DONE;

	if (status)
		return status;
	x->item = calloc(nr + 1, sizeof(*x->item));
	x->r = calloc(nr + 1, sizeof(*x->r));
	if (!x->item || !x->r)
		status = cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	else
		status = plan ? run_designs(c, plan, x) : load_runs(c, x);
	if (status <= EXIT_RUN && x->nr)
		printed = print(c, x, o.file);
	for (size_t i = 0; x->r && i < nr; i++)
		result_free(&x->r[i]);
	free(x->r);
	free(x->item);
	if (status > EXIT_RUN || printed == EXIT_RUN || !x->nr)
		return output_cancel(&o, status ? status : printed);
	return output_close(c, &o, status ? status : printed);
}

int cmd_compare(struct cli *c)
{
	struct comparison x = { 0 };
	struct plan plan;
	int status;

	if (c->args.nr < 2)
		return cli_fail(c, EXIT_USAGE, "found %zu to compare, expected "
				"two or more designs, or runs of the database",
				c->args.nr);
	status = find_metric(c, &x.metric);
	if (!status)
		status = find_axis(c, &x.axis);
	if (status)
		return status;
	if (!all_designs(c))
		return compare(c, NULL, &x);
	status = make_plan(c, &plan);
	if (status)
		return status;
	status = c->dry_run ? sweep_print_size(c, &plan) :
		 compare(c, &plan, &x);
	plan_free(&plan);
	return status;
}
