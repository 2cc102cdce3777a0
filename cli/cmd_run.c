/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim run: one configuration. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/job.h"
#include "sim/version.h"

/* The one variant that is meant, or -1 after a message. */
static ssize_t choose_variant(const struct cli *c, const struct job *j)
{
	if (c->section)
		return input_section(c, j);
	if (job_nr_variants(j) == 1)
		return 0;
	cli_fail(c, EXIT_USAGE, "%s: found %zu sections, expected one: name it "
		 "with --section, or use vmapsim sweep", j->file,
		 job_nr_variants(j));
	return -1;
}

static int make_scenario(const struct cli *c, const struct job *j,
			 struct scenario *s)
{
	struct scenario_error err = { 0 };
	ssize_t variant = choose_variant(c, j);
	struct assignment *a;
	size_t nr;
	int rc;

	if (variant < 0)
		return EXIT_USAGE;
	a = job_variant(j, (size_t)variant, c->set, c->nr_set, &nr);
	rc = a ? scenario_init(s, a, nr, &err) : -ENOMEM;
	free(a);
	if (rc == -ENOMEM)
		return cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	return rc ? cli_fail_at(c, EXIT_USAGE, &err) : EXIT_DONE;
}

static int show_job(const struct cli *c, const struct scenario *s)
{
	struct output o;
	int status = output_open(c, &o);

	if (status)
		return status;
	fprintf(o.file, "# vmapsim %s, run %s\n[defaults]\n", version_full(),
		s->key);
	if (scenario_print(s, o.file) == -ENOMEM)
		return output_cancel(&o, cli_fail(c, EXIT_RUN, "%s",
						  strerror(ENOMEM)));
	return output_close(c, &o, EXIT_DONE);
}

static int execute(const struct cli *c, const struct plan *plan,
		   struct store *store, struct result *r,
		   struct sweep_counts *counts)
{
	struct sweep_options o = {
		.nr_workers = 1, .store = store, .stop = c->stop,
		.store_flags = c->histograms ? STORE_HISTOGRAMS : 0,
	};
	char err[STORE_ERROR_SIZE] = "", *line = input_command_line(c);
	int rc;

	if (!line)
		return cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	o.campaign = store_campaign(store, line, version_full(), 1);
	free(line);
	if (o.campaign < 0)
		return cli_fail(c, EXIT_RUN, "%s", store_error(store));
	rc = sweep_collect(plan, &o, r, counts, err, sizeof(err));
	if (rc == -EINTR)
		return cli_fail(c, cli_status(c, rc), "interrupted, nothing "
				"stored");
	return rc ? cli_fail(c, EXIT_RUN, "%s", err) : EXIT_DONE;
}

static int run_and_print(const struct cli *c, const struct plan *plan)
{
	struct sweep_counts counts = { 0 };
	struct store *store = NULL;
	struct result r = { 0 };
	struct output o;
	int status = output_open(c, &o);

	if (status)
		return status;
	status = input_store(c, &store, STORE_WRITE);
	if (!status)
		status = execute(c, plan, store, &r, &counts);
	store_close(store);
	if (status || !r.state)
		return output_cancel(&o, status ? status : EXIT_RUN);
	if (counts.nr_skipped)
		cli_note(c, "found finished in %s, not run again", c->db);
	if (runs_print_one(c, o.file, &r) == -ENOMEM)
		status = cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	if (strcmp(r.state, "done"))
		status = cli_fail(c, EXIT_RUN, "run %s failed: %s", r.key,
				  r.error ? r.error : "no reason known");
	result_free(&r);
	return output_close(c, &o, status);
}

int cmd_run(struct cli *c)
{
	struct scenario s;
	struct job j;
	int status = input_job(c, &j);

	if (status)
		return status;
	status = make_scenario(c, &j, &s);
	if (!status) {
		const struct plan plan = { .point = &s, .nr = 1 };

		status = c->showjob ? show_job(c, &s) :
			 run_and_print(c, &plan);
		scenario_free(&s);
	}
	job_free(&j);
	return status;
}
