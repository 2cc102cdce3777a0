/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands start from: the .job file, the database, the words. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/job.h"
#include "sim/datadir.h"

/* A file, or else the job of this name that comes with the program. */
static int read_job(const char *name, struct job *j,
		    struct scenario_error *err)
{
	char path[PATH_MAX];

	if (strcmp(name, "-") && !strchr(name, '/') && access(name, F_OK) &&
	    !datadir_path("workloads", name, path, sizeof(path)))
		return job_read(path, j, err);
	return job_read(name, j, err);
}

int input_job(const struct cli *c, struct job *j)
{
	struct scenario_error err;
	int rc;

	*j = (struct job) { 0 };
	if (c->args.nr > 1)
		return cli_fail(c, EXIT_USAGE, "found \"%s\" after the .job "
				"file, expected one file",
				c->args.word[1]);
	if (!c->args.nr)
		rc = job_parse("", 0, "no file", j, &err);
	else
		rc = read_job(c->args.word[0], j, &err);
	if (!rc)
		return EXIT_DONE;
	if (rc == -ENOMEM)
		return cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	return cli_fail_at(c, EXIT_USAGE, &err);
}

ssize_t input_section(const struct cli *c, const struct job *j)
{
	size_t nr = job_nr_variants(j);
	const char **names = calloc(nr, sizeof(*names));
	ssize_t found = -1;
	char near[80];

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(job_variant_name(j, i), c->section))
			found = (ssize_t)i;
		if (names)
			names[i] = job_variant_name(j, i);
	}
	if (found < 0)
		cli_fail(c, EXIT_USAGE, "--section: found \"%s\", expected a "
			 "section of %s%s", c->section, j->file,
			 cli_nearest(c->section, names, names ? nr : 0, near,
				     sizeof(near)));
	free(names);
	return found;
}

int input_store(const struct cli *c, struct store **s, enum store_mode mode)
{
	char err[STORE_ERROR_SIZE];
	int rc = store_open(s, c->db, mode, err, sizeof(err));
	/* to be made where nothing can be made: that is not the input's fault */
	bool cannot = mode != STORE_READ &&
		      (rc == -ENOENT || rc == -ENOTDIR || rc == -EPERM);

	if (!rc)
		return EXIT_DONE;
	return cli_fail(c, cannot ? EXIT_RUN : cli_status(c, rc), "%s", err);
}

static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				     "_-+=:,./@%^")];
}

static void put_word(FILE *out, const char *word)
{
	if (is_plain(word)) {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			putc(*word, out);
	}
	putc('\'', out);
}

char *input_command_line(const struct cli *c)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("vmapsim", out);
	for (int i = 1; i < c->argc; i++) {
		putc(' ', out);
		put_word(out, c->argv[i]);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
