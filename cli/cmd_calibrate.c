/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim calibrate: a machine's costs from measurements, as a .machine. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "sim/datadir.h"
#include "study/calibrate.h"

static int refuse_fit(const struct cli *c, const char *data)
{
	const char *names[16];
	char near[80];
	size_t nr = 0;

	for (; fits[nr] && nr < ARRAY_SIZE(names); nr++)
		names[nr] = fits[nr]->machine;
	if (!fits[0])
		return cli_fail(c, EXIT_USAGE, "no machine can be calibrated");
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(names[i], c->machine))
			return cli_fail(c, EXIT_USAGE, "--from: found \"%s\", "
					"expected %s for machine %s",
					data ? data : "nothing",
					vcase_find(fits[i]->vcase)->data,
					names[i]);
	return cli_fail(c, EXIT_USAGE, "--machine: found \"%s\", expected one "
			"that can be calibrated: %s%s", c->machine, names[0],
			cli_nearest(c->machine, names, nr, near,
				    sizeof(near)));
}

/* The file as given, or the shipped one of that name: *path NULL. */
static int find_data(const struct cli *c, const char *data, const char **path)
{
	char shipped[PATH_MAX];

	*path = data;
	if (!access(data, R_OK))
		return EXIT_DONE;
	*path = NULL;
	if (!strchr(data, '/') &&
	    !datadir_path("published", data, shipped, sizeof(shipped)))
		return EXIT_DONE;
	return cli_fail(c, EXIT_USAGE, "%s: %s", data, strerror(ENOENT));
}

static int check(const struct cli *c, const struct fit **fit,
		 struct calibrate_options *o)
{
	const char *data = c->from.nr ? c->from.word[0] : NULL;

	if (c->args.nr)
		return cli_fail(c, EXIT_USAGE, "found \"%s\", expected "
				"--machine NAME --from FILE", c->args.word[0]);
	if (!c->machine || !data)
		return cli_fail(c, EXIT_USAGE, "found no %s, expected "
				"--machine NAME --from FILE",
				c->machine ? "--from" : "--machine");
	if (c->from.nr > 1)
		return cli_fail(c, EXIT_USAGE, "--from: found %zu files, "
				"expected one", c->from.nr);
	*fit = fit_find(c->machine, data);
	if (!*fit)
		return refuse_fit(c, data);
	o->machine = c->machine;
	return find_data(c, data, &o->data);
}

/*
 * The machine file is the document, and the report a note; with a --format
 * the report is the document, beside --output's machine file.
 */
static int print(const struct cli *c, const struct calibration *cal,
		 struct output *o)
{
	bool report = c->format_given || c->output;
	int rc = 0;

	if (c->output || !c->format_given)
		rc = machine_write(&cal->file, o->file);
	if (rc != -ENOMEM && report)
		rc = calibrate_print(cal, c->format, stdout);
	else if (rc != -ENOMEM && !c->quiet)
		rc = calibrate_print(cal, TABLE_TEXT, stderr);
	return rc == -ENOMEM ? cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM)) :
	       EXIT_DONE;
}

int cmd_calibrate(struct cli *c)
{
	struct calibrate_options o = { .sweep = {
		.nr_workers = c->jobs, .stop = c->stop,
		.progress = c->quiet ? NULL : stderr,
	} };
	char err[STORE_ERROR_SIZE] = "";
	const struct fit *fit = NULL;
	struct calibration cal;
	struct output out;
	int status = check(c, &fit, &o), rc;

	if (!status)
		status = output_open(c, &out);
	if (status)
		return status;
	rc = calibrate_run(fit, &o, &cal, err, sizeof(err));
	if (rc == -EINTR)
		return output_cancel(&out, cli_fail(c, cli_status(c, rc),
						    "interrupted"));
	if (rc)
		return output_cancel(&out, cli_fail(c, cli_status(c, rc), "%s",
						    err));
	status = print(c, &cal, &out);
	calibration_free(&cal);
	return status ? output_cancel(&out, status) :
	       output_close(c, &out, EXIT_DONE);
}
