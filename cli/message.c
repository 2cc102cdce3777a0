/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All that is written to standard error, one line each. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static void say(const struct cli *c, const char *where, const char *fmt,
		va_list ap)
{
	fflush(stdout);
	fprintf(stderr, "%s%s:%s ", c->color ? "\033[1m" : "", where,
		c->color ? "\033[0m" : "");
	vfprintf(stderr, fmt, ap);
	putc('\n', stderr);
}

int cli_fail(const struct cli *c, int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(c, "vmapsim", fmt, ap);
	va_end(ap);
	return status;
}

__attribute__((format(printf, 3, 4)))
static void say_at(const struct cli *c, const char *where, const char *fmt,
		   ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(c, where, fmt, ap);
	va_end(ap);
}

int cli_fail_at(const struct cli *c, int status,
		const struct scenario_error *err)
{
	char where[512];

	if (err->file && err->line)
		snprintf(where, sizeof(where), "%s:%zu:%zu", err->file,
			 err->line, err->col ? err->col : 1);
	else
		snprintf(where, sizeof(where), "%s",
			 err->file ? err->file : "vmapsim");
	say_at(c, where, "%s", err->text);
	return status;
}

void cli_note(const struct cli *c, const char *fmt, ...)
{
	va_list ap;

	if (c->quiet)
		return;
	va_start(ap, fmt);
	say(c, "vmapsim", fmt, ap);
	va_end(ap);
}

int cli_status(const struct cli *c, int rc)
{
	switch (rc) {
	case 0:
		return EXIT_DONE;
	case -EINTR:
		return EXIT_SIGNAL + (*c->stop ? *c->stop : 2);
	case -EMEDIUMTYPE:
	case -EPROTONOSUPPORT:
	case -EUCLEAN:
	case -ENOENT:
	case -ENOTUNIQ:
	case -ENOTDIR:
	case -EISDIR:
	case -EINVAL:
	case -ERANGE:
	case -EPERM:
	case -ENAMETOOLONG:
		return EXIT_USAGE;
	default:
		return EXIT_RUN;
	}
}

const char *cli_nearest(const char *text, const char *const *names, size_t nr,
			char *buf, size_t size)
{
	const char *found = nearest_name(text, names, nr);

	snprintf(buf, size, "%s%s", found ? "; nearest: " : "",
		 found ? found : "");
	return buf;
}
