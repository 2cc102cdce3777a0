/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim plot: a figure in files, and in ASCII on standard output. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "plots/plot.h"

#define NR_FIGURES_MAX 64

static int find_figure(const struct cli *c, const struct figure **f)
{
	const char *names[NR_FIGURES_MAX];
	char near[80];
	size_t nr = 0;

	if (c->args.nr != 1)
		return cli_fail(c, EXIT_USAGE, "found %zu arguments, expected "
				"one of vmapsim list figures", c->args.nr);
	*f = figure_find(c->args.word[0]);
	if (*f)
		return EXIT_DONE;
	for (; figures[nr] && nr < NR_FIGURES_MAX; nr++)
		names[nr] = figures[nr]->name;
	return cli_fail(c, EXIT_USAGE, "found figure \"%s\", expected one of "
			"vmapsim list figures%s", c->args.word[0],
			cli_nearest(c->args.word[0], names, nr, near,
				    sizeof(near)));
}

/* --output without the ending of a picture; else beside the database. */
static int choose_prefix(const struct cli *c, const struct figure *f,
			 char *buf, size_t size)
{
	static const char *const ends[] = { ".svg", ".png", ".tsv", ".gp" };
	const char *slash = strrchr(c->db, '/');
	int len;

	if (c->output)
		len = snprintf(buf, size, "%s", c->output);
	else
		len = snprintf(buf, size, "%.*s%s",
			       slash ? (int)(slash - c->db + 1) : 0, c->db,
			       f->name);
	if (len < 0 || (size_t)len >= size)
		return cli_fail(c, EXIT_USAGE, "%s: %s", f->name,
				strerror(ENAMETOOLONG));
	for (size_t i = 0; c->output && i < ARRAY_SIZE(ends); i++) {
		size_t end = strlen(ends[i]);

		if ((size_t)len > end && !strcmp(buf + len - end, ends[i]))
			buf[len - (int)end] = '\0';
	}
	return EXIT_DONE;
}

/* Values in the spelling that the database has. */
static int make_filter(const struct cli *c, const struct assignment *a,
		       struct store_filter *filter)
{
	const struct param_desc *d = scenario_desc(a->key);
	struct scenario_error at = { .file = a->file, .line = a->line };
	struct param_error err;
	struct param_value v;
	char *text;
	int rc, size;

	if (!d) {
		at.col = a->key_col;
		snprintf(at.text, sizeof(at.text), "found unknown key \"%.60s\""
			 ", expected one of vmapsim list params", a->key);
		return cli_fail_at(c, EXIT_USAGE, &at);
	}
	rc = param_parse(d, a->value, &v, &err);
	if (rc && rc != -ENOMEM) {
		at.col = a->value_col + err.col;
		param_error_format(&err, at.text, sizeof(at.text));
		return cli_fail_at(c, EXIT_USAGE, &at);
	}
	size = rc ? 0 : param_format(&v, NULL, 0);
	text = malloc((size_t)size + 1);
	if (!rc && text)
		param_format(&v, text, (size_t)size + 1);
	free(v.text);
	if (rc || !text)
		return cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	*filter = (struct store_filter) { .name = a->key, .value = text };
	return EXIT_DONE;
}

static int tell_files(const struct cli *c, const char *prefix)
{
	static const char *const end[] = { "tsv", "gp", "svg", "png" };
	static const struct table_column column[] = {
		{ "file", TABLE_PLAIN },
	};
	struct table *t;

	if (c->format == TABLE_TEXT) {
		cli_note(c, "wrote %s.svg, .png, .tsv and .gp", prefix);
		return EXIT_DONE;
	}
	t = table_begin(stdout, c->format, column, 1);
	for (size_t i = 0; t && i < ARRAY_SIZE(end); i++) {
		char path[PATH_MAX + 8];

		snprintf(path, sizeof(path), "%s.%s", prefix, end[i]);
		table_text(t, path);
	}
	if (t)
		table_end(t);
	return EXIT_DONE;
}

static int draw(const struct cli *c, const struct figure *f,
		const struct store_filter *filter)
{
	char err[PLOT_ERROR_SIZE] = "", prefix[PATH_MAX];
	const struct plot_options o = {
		.prefix = prefix, .filter = filter, .nr_filters = c->nr_set,
		.text = c->format == TABLE_TEXT ? stdout : NULL,
	};
	struct store *store;
	int status = choose_prefix(c, f, prefix, sizeof(prefix)), rc;

	if (!status)
		status = input_store(c, &store, STORE_READ);
	if (status)
		return status;
	rc = plot_figure(f, store, &o, err, sizeof(err));
	store_close(store);
	if (rc)
		return cli_fail(c, EXIT_RUN, "%s", err);
	return tell_files(c, prefix);
}

int cmd_plot(struct cli *c)
{
	struct store_filter *filter;
	const struct figure *f;
	int status = find_figure(c, &f);

	if (status)
		return status;
	filter = calloc(c->nr_set + 1, sizeof(*filter));
	if (!filter)
		return cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	for (size_t i = 0; i < c->nr_set && !status; i++)
		status = make_filter(c, &c->set[i], &filter[i]);
	if (!status)
		status = draw(c, f, filter);
	for (size_t i = 0; i < c->nr_set; i++)
		free((char *)filter[i].value);
	free(filter);
	return status;
}
