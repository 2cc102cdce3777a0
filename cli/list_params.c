/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of .job files and --set, from all rooms' descriptors. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/list.h"
#include "study/scenario.h"

static const char *const type_names[] = {
	[PARAM_INT] = "a number",
	[PARAM_BOOL] = "on or off",
	[PARAM_ENUM] = "one of",
	[PARAM_TIME] = "a time (ps ns us ms s)",
	[PARAM_BYTES] = "bytes (K M G)",
	[PARAM_PAGES] = "pages, or bytes (K M G)",
	[PARAM_PPM] = "a share (%)",
	[PARAM_STRING] = "text",
	[PARAM_TIMELIST] = "times, by commas",
};

static void put_range(FILE *out, const struct param_desc *d)
{
	struct param_value v = { .desc = d, .set = true, .num = d->min };
	char min[64], max[64];

	if ((!d->min && !d->max) || d->type == PARAM_STRING ||
	    d->type == PARAM_TIMELIST || d->type == PARAM_ENUM ||
	    d->type == PARAM_BOOL)
		return;
	param_format(&v, min, sizeof(min));
	v.num = d->max;
	param_format(&v, max, sizeof(max));
	fprintf(out, ", from %s to %s", min, max);
}

static char *describe(const struct param_table *t, const struct param_desc *d)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fprintf(out, "%s", type_names[d->type]);
	for (int i = 0; d->type == PARAM_ENUM && i < PARAM_NR_CHOICES_MAX &&
	     d->choices[i]; i++)
		fprintf(out, "%s %s", i ? "," : "", d->choices[i]);
	put_range(out, d);
	fprintf(out, "\nof %s%s%s\n", t->name ? t->room : "",
		t->name ? " " : "", t->name ? t->name : t->room);
	if (d->source)
		fprintf(out, "source: %s\n", d->source);
	fclose(out);
	return text;
}

int list_params(struct list *l)
{
	size_t nr;
	struct param_table *t = scenario_tables(&nr);
	int rc = t ? 0 : -ENOMEM;

	for (size_t i = 0; i < nr && !rc; i++) {
		for (const struct param_desc *d = t[i].desc; d->key && !rc;
		     d++) {
			char *text = describe(&t[i], d);

			rc = text ? list_add(l, d->key, d->def, d->help, text) :
			     -ENOMEM;
			free(text);
		}
	}
	free(t);
	return rc;
}
