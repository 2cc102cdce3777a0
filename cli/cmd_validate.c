/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim validate: published figures beside simulated ones. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "study/validate.h"

#define NR_CASES_MAX 64

static int refuse_case(const struct cli *c, const char *name)
{
	const char *names[NR_CASES_MAX];
	char near[80];
	size_t nr = 0;

	for (; vcases[nr] && nr < NR_CASES_MAX; nr++)
		names[nr] = vcases[nr]->name;
	return cli_fail(c, EXIT_USAGE, "found case \"%s\", expected one of "
			"vmapsim list cases%s", name,
			cli_nearest(name, names, nr, near, sizeof(near)));
}

/* Those named, or all. Exit status. */
static int choose_cases(const struct cli *c, const struct vcase **chosen,
			size_t *nr)
{
	*nr = 0;
	for (size_t i = 0; i < c->args.nr; i++) {
		const struct vcase *found = vcase_find(c->args.word[i]);

		if (!found || *nr == NR_CASES_MAX)
			return refuse_case(c, c->args.word[i]);
		chosen[(*nr)++] = found;
	}
	for (size_t i = 0; !c->args.nr && vcases[i] && i < NR_CASES_MAX; i++)
		chosen[(*nr)++] = vcases[i];
	return EXIT_DONE;
}

static int run_cases(const struct cli *c, const struct vcase *const *chosen,
		     size_t nr, struct store *store, struct validation *v,
		     size_t *nr_run)
{
	const struct validate_options o = {
		.effort = c->quick ? EFFORT_QUICK : EFFORT_FULL,
		.more = c->set, .nr_more = c->nr_set,
		.sweep = {
			.nr_workers = c->jobs, .store = store,
			.stop = c->stop, .progress = c->quiet ? NULL : stderr,
		},
	};
	char err[STORE_ERROR_SIZE] = "";

	for (*nr_run = 0; *nr_run < nr; ++*nr_run) {
		int rc = validate_run(chosen[*nr_run], &o, &v[*nr_run], err,
				      sizeof(err));

		if (rc == -EINTR)
			return cli_fail(c, cli_status(c, rc), "interrupted; "
					"finished runs are in %s", c->db);
		if (rc)
			return cli_fail(c, cli_status(c, rc), "%s: %s",
					chosen[*nr_run]->name, err);
	}
	return EXIT_DONE;
}

int cmd_validate(struct cli *c)
{
	const struct vcase *chosen[NR_CASES_MAX];
	struct validation v[NR_CASES_MAX];
	struct store *store = NULL;
	size_t nr, nr_run = 0;
	struct output o;
	int status;

	if (c->quick && c->full)
		return cli_fail(c, EXIT_USAGE, "found --quick and --full, "
				"expected one of them");
	status = choose_cases(c, chosen, &nr);
	if (!status)
		status = output_open(c, &o);
	if (status)
		return status;
	status = input_store(c, &store, STORE_WRITE);
	if (!status)
		status = run_cases(c, chosen, nr, store, v, &nr_run);
	store_close(store);
	if (!status && validate_print(v, nr_run, c->format, o.file) ==
	    -ENOMEM)
		status = cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	if (status)
		status = output_cancel(&o, status);
	else
		status = output_close(c, &o, EXIT_DONE);
	for (size_t i = 0; i < nr_run; i++) {
		if (!status && !v[i].pass)
			status = EXIT_TOLERANCE;
		validation_free(&v[i]);
	}
	return status;
}
