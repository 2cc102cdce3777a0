/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the document goes. A file is written to a temporary beside it and
 * renamed when it is complete, so that nobody ever reads half of one.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static int refuse(const struct cli *c, const char *path)
{
	return cli_fail(c, EXIT_RUN, "%s: %s", path, strerror(errno));
}

/* A device or a pipe cannot be replaced, only written. */
static bool is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

static int open_temporary(const struct cli *c, struct output *o)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	o->temporary = malloc(strlen(o->path) + sizeof(".XXXXXX"));
	if (!o->temporary)
		return refuse(c, o->path);
	sprintf(o->temporary, "%s.XXXXXX", o->path);
	fd = mkstemp(o->temporary);
	if (fd < 0) {
		refuse(c, o->path);
		free(o->temporary);
		o->temporary = NULL;
		return EXIT_RUN;
	}
	fchmod(fd, 0666 & ~mask);
	o->file = fdopen(fd, "w");
	return o->file ? EXIT_DONE : output_cancel(o, refuse(c, o->path));
}

int output_open(const struct cli *c, struct output *o)
{
	*o = (struct output) { .path = c->output };
	if (!o->path) {
		o->file = stdout;
		return EXIT_DONE;
	}
	if (!is_special(o->path))
		return open_temporary(c, o);
	o->file = fopen(o->path, "we");
	return o->file ? EXIT_DONE : refuse(c, o->path);
}

int output_cancel(struct output *o, int status)
{
	if (o->temporary)
		unlink(o->temporary);
	if (o->file && o->path)
		fclose(o->file);
	free(o->temporary);
	*o = (struct output) { 0 };
	return status;
}

int output_close(const struct cli *c, struct output *o, int status)
{
	bool failed;

	if (!o->path)
		return status;	/* output_check_stdout() has the last word */
	failed = fflush(o->file) || ferror(o->file) ||
		 (o->temporary && fsync(fileno(o->file)));
	failed |= fclose(o->file) != 0;
	o->file = NULL;
	if (!failed && o->temporary)
		failed = rename(o->temporary, o->path) != 0;
	if (failed)
		return output_cancel(o, refuse(c, o->path));
	free(o->temporary);
	*o = (struct output) { 0 };
	return status;
}

void output_check_stdout(void)
{
	bool failed_before = ferror(stdout);

	if (fflush(stdout))
		fprintf(stderr, "vmapsim: standard output: %s\n",
			strerror(errno));
	else if (failed_before)
		fputs("vmapsim: standard output: write error\n", stderr);
	else
		return;
	_exit(EXIT_RUN);
}
