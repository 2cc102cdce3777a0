/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim list: what there is, and what can be set. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/fill.h"
#include "cli/list.h"

#define NR_KINDS_MAX 16

static int refuse_kind(const struct cli *c, const char *name)
{
	const char *names[NR_KINDS_MAX];
	char near[80], all[200] = "";
	size_t nr = 0, used = 0;

	for (; list_kinds[nr].name && nr < NR_KINDS_MAX; nr++) {
		names[nr] = list_kinds[nr].name;
		used += (size_t)snprintf(all + used, sizeof(all) - used,
					 "%s%s", nr ? ", " : "", names[nr]);
	}
	if (!name)
		return cli_fail(c, EXIT_USAGE, "found nothing to list, "
				"expected %s", all);
	return cli_fail(c, EXIT_USAGE, "found \"%s\", expected %s%s", name,
			all, cli_nearest(name, names, nr, near, sizeof(near)));
}

static int refuse_name(const struct cli *c, const struct list *l,
		       const char *kind, const char *name)
{
	const char **names = calloc(l->nr + 1, sizeof(*names));
	char near[80];

	for (size_t i = 0; names && i < l->nr; i++)
		names[i] = l->e[i].name;
	cli_fail(c, EXIT_USAGE, "found \"%s\", expected one of vmapsim list "
		 "%s%s", name, kind,
		 cli_nearest(name, names, names ? l->nr : 0, near,
			     sizeof(near)));
	free(names);
	return EXIT_USAGE;
}

/* Leaves only the entry of this name. */
static int pick(const struct cli *c, struct list *l, const char *kind,
		const char *name)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct list_entry e = l->e[i];

		if (strcmp(e.name, name))
			continue;
		l->e[i] = l->e[0];
		l->e[0] = e;
		for (size_t k = 1; k < l->nr; k++) {
			free(l->e[k].name);
			free(l->e[k].info);
			free(l->e[k].help);
			free(l->e[k].text);
		}
		l->nr = 1;
		return EXIT_DONE;
	}
	return refuse_name(c, l, kind, name);
}

static void print_names(const struct list *l, FILE *out)
{
	for (size_t i = 0; i < l->nr; i++)
		fprintf(out, "%s\n", l->e[i].name);
}

static void print_long(const struct list *l, FILE *out)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct list_entry *e = &l->e[i];

		fprintf(out, "%s%s", i ? "\n" : "", e->name);
		if (l->info && *e->info)
			fprintf(out, " (%s: %s)", l->info, e->info);
		putc('\n', out);
		fill_text(out, e->help, 0, 4);
		if (l->lines)
			fill_lines(out, e->text, 4);
		else
			fill_text(out, e->text, 0, 4);
	}
}

/* Longest text of a column, at most max. */
static int width_of(const struct list *l, size_t offset, int max)
{
	int width = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const char *text = *(char **)((char *)&l->e[i] + offset);

		if ((int)strlen(text) > width)
			width = (int)strlen(text);
	}
	return width > max ? max : width;
}

#define NAME_WIDTH_MAX	24
#define INFO_WIDTH_MAX	18	/* more is told by -v only */

static void print_short(const struct list *l, FILE *out)
{
	int name = width_of(l, offsetof(struct list_entry, name),
			    NAME_WIDTH_MAX);
	int info = width_of(l, offsetof(struct list_entry, info),
			    INFO_WIDTH_MAX + 1);

	if (info > INFO_WIDTH_MAX)
		info = 0;
	for (size_t i = 0; i < l->nr; i++) {
		const struct list_entry *e = &l->e[i];
		int col = fprintf(out, "%-*s", name, e->name);

		if (info)
			col += fprintf(out, "  %-*s", info, e->info);
		fill_text(out, e->help, col, name + info + (info ? 4 : 2));
	}
}

static int print_rows(const struct cli *c, const struct list *l, bool all,
		      FILE *out)
{
	struct table_column column[4] = { { "name", TABLE_PLAIN } };
	size_t nr = 1;
	struct table *t;

	if (l->info)
		column[nr++].name = l->info;
	column[nr++].name = "help";
	if (all)
		column[nr++].name = "text";
	t = table_begin(out, c->format, column, nr);
	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < l->nr; i++) {
		table_text(t, l->e[i].name);
		if (l->info)
			table_text(t, l->e[i].info);
		table_text(t, l->e[i].help);
		if (all)
			table_text(t, l->e[i].text);
	}
	return table_end(t);
}

static int print(const struct cli *c, const struct list *l)
{
	bool all = c->verbose || c->args.nr > 1;
	struct output o;
	int status = output_open(c, &o), rc = 0;

	if (status)
		return status;
	if (c->names)
		print_names(l, o.file);
	else if (all && c->format == TABLE_TEXT)
		print_long(l, o.file);
	else if (c->format == TABLE_TEXT)
		print_short(l, o.file);
	else
		rc = print_rows(c, l, all, o.file);
	if (rc == -ENOMEM)
		return output_cancel(&o, cli_fail(c, EXIT_RUN, "%s",
						  strerror(ENOMEM)));
	return output_close(c, &o, EXIT_DONE);
}

int cmd_list(struct cli *c)
{
	const char *name = c->args.nr ? c->args.word[0] : NULL;
	const struct list_kind *kind = name ? list_kind_find(name) : NULL;
	struct list l;
	int status = EXIT_DONE;

	if (!kind)
		return refuse_kind(c, name);
	if (c->args.nr > 2)
		return cli_fail(c, EXIT_USAGE, "found \"%s\", expected one "
				"name after %s", c->args.word[2], name);
	if (list_fill(kind, &l))
		status = cli_fail(c, EXIT_RUN, "%s", strerror(ENOMEM));
	if (!status && c->args.nr == 2)
		status = pick(c, &l, name, c->args.word[1]);
	if (!status)
		status = print(c, &l);
	list_free(&l);
	return status;
}
