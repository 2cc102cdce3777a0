/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registries of all rooms as lists of one shape. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/list.h"
#include "models/machine.h"
#include "models/vmap.h"
#include "plots/plot.h"
#include "results/query.h"
#include "sim/outcome.h"
#include "sim/spinlock.h"
#include "study/case.h"
#include "study/machines.h"
#include "workloads/workload.h"

static char *copy(const char *text)
{
	return strdup(text ? text : "");
}

int list_add(struct list *l, const char *name, const char *info,
	     const char *help, const char *text)
{
	struct list_entry *e = realloc(l->e, (l->nr + 1) * sizeof(*e));

	if (!e)
		return -ENOMEM;
	l->e = e;
	e += l->nr++;
	*e = (struct list_entry) { copy(name), copy(info), copy(help),
				   copy(text) };
	return e->name && e->info && e->help && e->text ? 0 : -ENOMEM;
}

void list_free(struct list *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		free(l->e[i].name);
		free(l->e[i].info);
		free(l->e[i].help);
		free(l->e[i].text);
	}
	free(l->e);
	*l = (struct list) { 0 };
}

static int list_designs(struct list *l)
{
	int rc = 0;

	for (size_t i = 0; vmap_designs[i] && !rc; i++)
		rc = list_add(l, vmap_designs[i]->name,
			      vmap_designs[i]->kernel, vmap_designs[i]->help,
			      vmap_designs[i]->text);
	return rc;
}

static int list_workloads(struct list *l)
{
	int rc = 0;

	for (size_t i = 0; workloads[i] && !rc; i++)
		rc = list_add(l, workloads[i]->name,
			      workloads[i]->needs_design ? "yes" : "no",
			      workloads[i]->help, NULL);
	return rc;
}

/* The file's lines as they mean: key = value, and where it comes from. */
static char *machine_text(const struct machine_file *f)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < f->nr; i++)
		fprintf(out, "%s = %s\n    %s\n", f->line[i].key,
			f->line[i].value, f->line[i].source);
	fclose(out);
	return text;
}

/* First line of the file's comment, without its sign. */
static void first_line(const char *comment, char *buf, size_t size)
{
	const char *p = comment ? comment : "";

	p += strspn(p, "# ");
	snprintf(buf, size, "%.*s", (int)strcspn(p, "\n"), p);
}

static int add_machine(struct list *l, const char *name)
{
	char path[PATH_MAX], near[64], help[120];
	struct machine_error err = { 0 };
	const struct machine_line *topology;
	struct machine_file f;
	char *text;
	int rc;

	if (machine_path(name, path, sizeof(path), near, sizeof(near)) ||
	    machine_read(path, &f, &err))
		return list_add(l, name, "", "not readable", err.text);
	first_line(f.comment, help, sizeof(help));
	topology = machine_find(&f, "topology");
	text = machine_text(&f);
	rc = text ? list_add(l, name, topology ? topology->value : "", help,
			     text) : -ENOMEM;
	free(text);
	machine_free(&f);
	return rc;
}

static int list_machines(struct list *l)
{
	char **names;
	ssize_t nr = machine_names(&names);
	int rc = 0;

	if (nr < 0)
		return nr == -ENOMEM ? -ENOMEM : 0;
	for (ssize_t i = 0; i < nr && !rc; i++)
		rc = add_machine(l, names[i]);
	free(names);
	return rc;
}

/* Which designs have a lock of this algorithm is open to the user: all. */
static char *lock_classes(void)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs("for lock, or for one class of locks of a design:\n", out);
	for (size_t i = 0; vmap_designs[i]; i++) {
		const char *const *name = vmap_designs[i]->locks;

		for (; name && *name; name++)
			fprintf(out, "    lock.%s (%s)\n", *name,
				vmap_designs[i]->name);
	}
	fclose(out);
	return text;
}

static int list_locks(struct list *l)
{
	char *text = lock_classes();
	int rc = text ? 0 : -ENOMEM;

	for (size_t i = 0; lock_algorithms[i] && !rc; i++)
		rc = list_add(l, lock_algorithms[i]->name,
			      lock_algorithms[i]->fifo ? "yes" : "no",
			      lock_algorithms[i]->help, text);
	free(text);
	return rc;
}

static int list_cases(struct list *l)
{
	char text[2000];
	int rc = 0;

	for (size_t i = 0; vcases[i] && !rc; i++) {
		const struct vcase *c = vcases[i];

		snprintf(text, sizeof(text), "source: %s\n\n%s%s%s%s%s",
			 c->source ? c->source : "not known",
			 c->left_out ? "not modelled: " : "",
			 c->left_out ? c->left_out : "",
			 c->left_out ? "\n\n" : "",
			 c->changed ? "changed after looking: " : "",
			 c->changed ? c->changed : "");
		rc = list_add(l, c->name, c->data, c->help, text);
	}
	return rc;
}

static int list_figures(struct list *l)
{
	int rc = 0;

	for (size_t i = 0; figures[i] && !rc; i++)
		rc = list_add(l, figures[i]->name, "", figures[i]->help, NULL);
	return rc;
}

static int list_queries(struct list *l)
{
	char help[200];
	int rc = 0;

	for (size_t i = 0; query_name(i) && !rc; i++) {
		query_sentence(i, help, sizeof(help));
		rc = list_add(l, query_name(i), "", help,
			      query_text(query_name(i)));
	}
	return rc;
}

static int list_metrics(struct list *l)
{
	int rc = 0;

	for (int m = 0; m < NR_METRICS && !rc; m++)
		rc = list_add(l, metric_descs[m].name, metric_descs[m].unit,
			      metric_descs[m].help, NULL);
	return rc;
}

const struct list_kind list_kinds[] = {
	{ "designs", "kernel", list_designs, false },
	{ "workloads", "design", list_workloads, false },
	{ "machines", "topology", list_machines, true },
	{ "locks", "fifo", list_locks, false },
	{ "params", "default", list_params, false },
	{ "cases", "data", list_cases, false },
	{ "figures", NULL, list_figures, false },
	{ "queries", NULL, list_queries, true },
	{ "metrics", "unit", list_metrics, false },
	{ NULL, NULL, NULL, false }
};

const struct list_kind *list_kind_find(const char *name)
{
	for (const struct list_kind *k = list_kinds; k->name; k++)
		if (!strcmp(k->name, name))
			return k;
	return NULL;
}

int list_fill(const struct list_kind *kind, struct list *l)
{
	*l = (struct list) { .info = kind->info, .lines = kind->lines };
	return kind->fill(l);
}
