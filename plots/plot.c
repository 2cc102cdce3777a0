/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table, script and pictures of a figure. */
#define _GNU_SOURCE		/* asprintf */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plots/figures.h"
#include "sim/datadir.h"
#include "sim/version.h"

const struct figure *const figures[] = {
#define FIGURE(name) &figure_##name,
#include "plots/figures.def"
#undef FIGURE
	NULL,
};

const struct figure *figure_find(const char *name)
{
	for (const struct figure *const *f = figures; *f; f++)
		if (!strcmp((*f)->name, name))
			return *f;
	return NULL;
}

struct drawing {
	const struct figure *f;
	const struct plot_options *o;
	char *dir, *stem;		/* of the files; stem without folder */
	bool temporary;			/* dir is removed at the end */
	char *err;
	size_t err_size;
};

__attribute__((format(printf, 3, 4)))
static int refuse(struct drawing *d, int rc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(d->err, d->err_size, fmt, args);
	va_end(args);
	return rc;
}

static FILE *open_file(const struct drawing *d, const char *suffix,
		       const char *mode, char *path)
{
	snprintf(path, PATH_MAX, "%s/%s.%s", d->dir, d->stem, suffix);
	return fopen(path, mode);
}

static int write_file(struct drawing *d, const char *suffix, const char *text,
		      const char *more)
{
	char path[PATH_MAX];
	FILE *f = open_file(d, suffix, "w", path);
	int rc;

	if (!f)
		return refuse(d, -errno, "%s: %s", path, strerror(errno));
	fputs(text, f);
	fputs(more, f);
	rc = ferror(f) ? -EIO : 0;
	if (fclose(f))
		rc = -errno;
	return rc ? refuse(d, rc, "%s: %s", path, strerror(-rc)) : 0;
}

/* The shipped script, all of it; NULL with a message. */
static char *read_script(struct drawing *d, int *rc)
{
	char name[80], path[PATH_MAX], *text = NULL;
	size_t size = 0;
	ssize_t n;
	FILE *f;

	snprintf(name, sizeof(name), "%s.gp", d->f->name);
	*rc = datadir_path("plots", name, path, sizeof(path));
	f = *rc ? NULL : fopen(path, "r");
	if (!f) {
		*rc = refuse(d, -ENOENT, "%s: %s", path, strerror(ENOENT));
		return NULL;
	}
	n = getdelim(&text, &size, 0, f);
	fclose(f);
	if (n < 0) {
		free(text);
		*rc = refuse(d, -EIO, "%s: an empty script", path);
		return NULL;
	}
	return text;
}

static char *script_head(const struct drawing *d, const char *lines)
{
	char *text;

	if (asprintf(&text, "# Made by vmapsim %s. Draws %s.svg, or with\n"
		     "#\tgnuplot -e \"terminal='png'\" %s.gp\n"
		     "# %s.png; terminal='dumb' is for a terminal.\n"
		     "data = \"%s.tsv\"\n%s"
		     "if (!exists(\"terminal\")) terminal = \"svg\"\n"
		     "if (!exists(\"output\")) output = terminal eq \"dumb\" ? "
		     "\"\" : \"%s.\" . terminal\n\n",
		     version_program(), d->stem, d->stem, d->stem, d->stem,
		     lines, d->stem) < 0)
		return NULL;
	return text;
}

/* Table and script, complete in memory before a file is touched. */
static int write_sources(struct drawing *d, struct store *s)
{
	char *table = NULL, *lines = NULL, *script = NULL, *head = NULL;
	size_t table_size, lines_size;
	FILE *t = open_memstream(&table, &table_size);
	FILE *l = open_memstream(&lines, &lines_size);
	int rc = -ENOMEM;

	if (t && l)
		rc = d->f->data(s, d->o, t, l, d->err, d->err_size);
	if (t && fclose(t))
		rc = -ENOMEM;
	if (l && fclose(l))
		rc = -ENOMEM;
	if (!rc) {
		script = read_script(d, &rc);
		head = script ? script_head(d, lines) : NULL;
		if (script && !head)
			rc = -ENOMEM;
	}
	if (!rc)
		rc = write_file(d, "tsv", table, "");
	if (!rc)
		rc = write_file(d, "gp", head, script);
	free(table);
	free(lines);
	free(script);
	free(head);
	return rc;
}

_Noreturn static void gnuplot_main(const struct drawing *d,
				   const char *settings, int out)
{
	char script[NAME_MAX + 4];

	snprintf(script, sizeof(script), "%s.gp", d->stem);
	if (dup2(out, STDOUT_FILENO) < 0 || chdir(d->dir))
		_exit(126);
	execlp("gnuplot", "gnuplot", "-e", settings, script, (char *)NULL);
	_exit(errno == ENOENT ? 127 : 126);
}

/* gnuplot's standard output without the blanks at the ends of lines. */
static void copy_text(int in, FILE *out)
{
	FILE *f = fdopen(in, "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	bool begun = false;

	if (!f) {
		close(in);
		return;
	}
	while ((n = getline(&line, &size, f)) >= 0) {
		while (n && strchr(" \n\f", line[n - 1]))
			line[--n] = 0;
		begun = begun || n;	/* it begins with a form feed */
		if (out && begun)
			fprintf(out, "%s\n", line);
	}
	free(line);
	fclose(f);
}

static int gnuplot(struct drawing *d, const char *settings, FILE *out)
{
	int fds[2], status;
	pid_t pid;

	if (pipe(fds))
		return refuse(d, -errno, "gnuplot: %s", strerror(errno));
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		gnuplot_main(d, settings, fds[1]);
	}
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		return refuse(d, -EAGAIN, "gnuplot: cannot fork");
	}
	copy_text(fds[0], out);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return refuse(d, -ENOENT, "gnuplot: not found, expected in "
			      "PATH (Debian: gnuplot-nox)%s%s%s",
			      d->temporary ? "" : "; data and script are in ",
			      d->temporary ? "" : d->o->prefix,
			      d->temporary ? "" : ".tsv and .gp");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return refuse(d, -EPROTO, "gnuplot failed on %s.gp", d->stem);
	return 0;
}

/* A picture that gnuplot could not write is no error of its own to it. */
static int draw_file(struct drawing *d, const char *terminal)
{
	char settings[80], path[PATH_MAX];
	FILE *f;
	int rc;

	snprintf(path, sizeof(path), "%s/%s.%s", d->dir, d->stem, terminal);
	unlink(path);
	snprintf(settings, sizeof(settings), "terminal='%s'", terminal);
	rc = gnuplot(d, settings, NULL);
	if (rc)
		return rc;
	f = open_file(d, terminal, "r", path);
	if (!f)
		return refuse(d, -EPROTO, "%s: gnuplot did not write it", path);
	rc = getc(f) == EOF ? -ENOSPC : 0;
	fclose(f);
	return rc ? refuse(d, rc, "%s: %s", path, strerror(-rc)) : 0;
}

static int draw(struct drawing *d)
{
	char settings[120];
	int rc = 0;

	if (d->o->text) {
		snprintf(settings, sizeof(settings), "terminal='dumb'; "
			 "columns=%u; rows=%u",
			 d->o->columns ? d->o->columns : 78,
			 d->o->rows ? d->o->rows : 24);
		rc = gnuplot(d, settings, d->o->text);
	}
	if (!rc && d->o->prefix)
		rc = draw_file(d, "svg");
	if (!rc && d->o->prefix)
		rc = draw_file(d, "png");
	return rc;
}

/* Where the files go; a folder of our own when none are wanted. */
static int choose_place(struct drawing *d)
{
	const char *prefix = d->o->prefix, *tmp = getenv("TMPDIR");
	const char *slash = prefix ? strrchr(prefix, '/') : NULL;

	d->temporary = !prefix;
	if (!prefix) {
		if (asprintf(&d->dir, "%s/vmapsim-plot-XXXXXX",
			     tmp && *tmp ? tmp : "/tmp") < 0)
			d->dir = NULL;
		d->stem = strdup(d->f->name);
		if (d->dir && !mkdtemp(d->dir))
			return refuse(d, -errno, "%s: %s", d->dir,
				      strerror(errno));
	} else {
		d->dir = !slash ? strdup(".") : slash == prefix ? strdup("/") :
			 strndup(prefix, (size_t)(slash - prefix));
		d->stem = strdup(slash ? slash + 1 : prefix);
	}
	if (!d->dir || !d->stem)
		return -ENOMEM;
	if (!*d->stem || strlen(d->stem) > 200 || strpbrk(d->stem, "'\"\\\n"))
		return refuse(d, -EINVAL, "%s: no name for files, expected "
			      "letters, digits, '-', '_', '.'", prefix);
	return 0;
}

static void leave_place(struct drawing *d)
{
	static const char *const suffix[] = { "tsv", "gp" };
	char path[PATH_MAX];

	for (size_t i = 0; d->temporary && d->dir && i < ARRAY_SIZE(suffix);
	     i++) {
		snprintf(path, sizeof(path), "%s/%s.%s", d->dir, d->stem,
			 suffix[i]);
		unlink(path);
	}
	if (d->temporary && d->dir)
		rmdir(d->dir);
	free(d->dir);
	free(d->stem);
}

int plot_figure(const struct figure *f, struct store *s,
		const struct plot_options *o, char *err, size_t err_size)
{
	struct drawing d = {
		.f = f, .o = o, .err = err, .err_size = err_size,
	};
	int rc;

	snprintf(err, err_size, "%s", "");
	rc = choose_place(&d);
	if (!rc)
		rc = write_sources(&d, s);
	if (!rc)
		rc = draw(&d);
	leave_place(&d);
	if (rc && !*err)
		snprintf(err, err_size, "%s", strerror(-rc));
	return rc;
}
