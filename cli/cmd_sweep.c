/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim sweep: all combinations of all lists, of all sections. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/sweep.h"
#include "sim/version.h"

/* Results of larger sweeps stay in the database: they are not printed. */
#define NR_PRINTED_MAX 20000

static int add_variant(const struct cli *c, const struct job *j, size_t i,
		       struct plan *plan)
{
	struct scenario_error err = { 0 };
	struct plan more = { 0 };
	struct assignment *a;
	size_t nr;
	int rc;

	a = job_variant(j, i, c->set, c->nr_set, &nr);
	rc = a ? plan_init(&more, a, nr, &err) : -ENOMEM;
	free(a);
	if (!rc) {
		rc = plan_append(plan, &more);
		plan_free(&more);
		if (rc == -E2BIG)
			return cli_fail(c, EXIT_USAGE, "%s: found more than "
					"%d points, expected fewer", j->file,
					PLAN_NR_MAX);
	}
	if (rc == -ENOMEM)
		return cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	return rc ? cli_fail_at(c, EXIT_USAGE, &err) : EXIT_DONE;
}

static int make_plan(const struct cli *c, const struct job *j,
		     struct plan *plan)
{
	size_t first = 0, end = job_nr_variants(j);
	int status = EXIT_DONE;

	*plan = (struct plan) { 0 };
	if (c->section) {
		ssize_t i = input_section(c, j);

		if (i < 0)
			return EXIT_USAGE;
		first = (size_t)i;
		end = first + 1;
	}
	for (size_t i = first; i < end && !status; i++)
		status = add_variant(c, j, i, plan);
	if (status)
		plan_free(plan);
	return status;
}

static int count_stored(const struct cli *c, const struct plan *plan,
			s64 *nr)
{
	struct store *store;
	int status;

	*nr = 0;
	if (access(c->db, F_OK))
		return EXIT_DONE;
	status = input_store(c, &store, STORE_READ);
	if (status)
		return status;
	for (size_t i = 0; i < plan->nr && !status; i++) {
		int rc = store_is_done(store, plan->point[i].key);

		if (rc < 0)
			status = cli_fail(c, cli_status(c, rc), "%s",
					  store_error(store));
		*nr += rc > 0;
	}
	store_close(store);
	return status;
}

int sweep_print_size(const struct cli *c, const struct plan *plan)
{
	static const struct table_column column[] = {
		{ "points", TABLE_PLAIN }, { "finished", TABLE_PLAIN },
		{ "to_run", TABLE_PLAIN },
	};
	struct output o;
	struct table *t;
	s64 stored;
	int status = count_stored(c, plan, &stored);

	if (!status)
		status = output_open(c, &o);
	if (status)
		return status;
	t = table_begin(o.file, c->format, column, ARRAY_SIZE(column));
	if (!t)
		return output_cancel(&o, cli_fail(c, EXIT_RUN, "%s",
						  strerror(ENOMEM)));
	table_int(t, (s64)plan->nr);
	table_int(t, stored);
	table_int(t, (s64)plan->nr - stored);
	table_end(t);
	return output_close(c, &o, EXIT_DONE);
}

static void tell_counts(const struct cli *c, const struct sweep_counts *n,
			size_t nr, bool interrupted)
{
	cli_note(c, "%s%zu points: %zu run, %zu found finished, %zu the same "
		 "as another, %zu failed, %zu not run; in %s",
		 interrupted ? "interrupted; " : "", nr, n->nr_done,
		 n->nr_skipped, n->nr_same, n->nr_failed, n->nr_left, c->db);
}

int sweep_execute(const struct cli *c, const struct plan *plan,
		  struct result *r)
{
	struct sweep_counts counts = { 0 };
	struct sweep_options o = {
		.nr_workers = c->jobs, .stop = c->stop,
		.store_flags = c->histograms ? STORE_HISTOGRAMS : 0,
		.progress = c->quiet ? NULL : stderr,
	};
	char err[STORE_ERROR_SIZE] = "", *line = input_command_line(c);
	int status = line ? input_store(c, &o.store, STORE_WRITE) : EXIT_RUN;
	int rc;

	if (status) {
		free(line);
		return status;
	}
	o.campaign = store_campaign(o.store, line, version_full(), plan->nr);
	free(line);
	if (o.campaign < 0) {
		status = cli_fail(c, EXIT_RUN, "%s", store_error(o.store));
		store_close(o.store);
		return status;
	}
	fflush(NULL);
	rc = r ? sweep_collect(plan, &o, r, &counts, err, sizeof(err)) :
	     sweep_run(plan, &o, &counts, err, sizeof(err));
	store_close(o.store);
	tell_counts(c, &counts, plan->nr, rc == -EINTR);
	if (rc == -EINTR)
		return cli_status(c, rc);
	if (rc)
		return cli_fail(c, EXIT_RUN, "%s", err);
	return counts.nr_failed ? EXIT_RUN : EXIT_DONE;
}

static int print_results(const struct cli *c, struct output *o,
			 const struct result *r, size_t nr, int status)
{
	size_t nr_run = 0;

	for (size_t i = 0; i < nr; i++)
		nr_run += r[i].state != NULL;
	/* Interrupted: no half document. Without a database: no empty one. */
	if (status > EXIT_RUN || (status && !nr_run))
		return output_cancel(o, status);
	if (runs_print_many(c, o->file, r, nr) == -ENOMEM)
		status = cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	return output_close(c, o, status);
}

static int sweep(const struct cli *c, const struct plan *plan)
{
	bool print = plan->nr <= NR_PRINTED_MAX;
	struct result *r = print ? calloc(plan->nr, sizeof(*r)) : NULL;
	struct output o;
	int status = output_open(c, &o);

	if (status)
		goto out;
	if (print && !r) {
		status = output_cancel(&o, cli_fail(c, EXIT_RUN, "%s",
						    strerror(ENOMEM)));
		goto out;
	}
	status = sweep_execute(c, plan, r);
	if (print)
		status = print_results(c, &o, r, plan->nr, status);
	else
		status = output_cancel(&o, sweep_print_size(c, plan) ?
				       EXIT_RUN : status);
	for (size_t i = 0; r && i < plan->nr; i++)
		result_free(&r[i]);
out:
	free(r);
	return status;
}

int cmd_sweep(struct cli *c)
{
	struct plan plan;
	struct job j;
	int status;

	if (!c->args.nr && !c->nr_set)
		return cli_fail(c, EXIT_USAGE, "found nothing to sweep, "
				"expected a .job file or --set key=LIST");
	status = input_job(c, &j);
	if (status)
		return status;
	status = make_plan(c, &j, &plan);
	if (!status) {
		status = c->dry_run ? sweep_print_size(c, &plan) :
			 sweep(c, &plan);
		plan_free(&plan);
	}
	job_free(&j);
	return status;
}
