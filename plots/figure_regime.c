/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time of a pair by jitter, from a clustered and from a scattered start: where
 * the order of the waiters in the queues settles, and where it flips.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "plots/curves.h"
#include "plots/figures.h"
#include "sim/outcome.h"

#define AXIS	"vmap.jitter"
#define KEY	"start"

/* As enum regime counts; the script turns it into the shape of a point. */
static int regime_number(const char *name)
{
	for (int i = REGIME_NONE; i <= REGIME_MIXED; i++)
		if (!strcmp(regime_names[i], name))
			return i;
	return REGIME_NONE;
}

static void put_row(const struct curves *c, FILE *out, double x)
{
	fprintf(out, "%.6g", x);
	for (size_t i = 0; i < c->nr_names; i++) {
		const struct curve_point *p = curves_find(c, c->name[i], x);

		curves_put_number(out, p ? p->pair_ns / 1000 : NAN);
		curves_put_number(out, !p ? NAN : isnan(p->ci95) ? 0 :
				  p->ci95 / 1000);
		curves_put_number(out, p ? regime_number(p->regime) : NAN);
	}
	putc('\n', out);
}

static void put_all(const struct curves *c, FILE *table, FILE *head)
{
	char jobs[32];

	curves_put_words(head, "curves", c->name, c->nr_names);
	fprintf(head, "heading = \"%s, %s, %s jobs\"\n", c->workload,
		c->machine, curves_value(c, "nr_threads", jobs, sizeof(jobs)));
	fputs("jitter_pct", table);
	for (size_t i = 0; i < c->nr_names; i++)
		fprintf(table, "\t%s\t%s:ci95\t%s:regime", c->name[i],
			c->name[i], c->name[i]);
	putc('\n', table);
	for (size_t i = 0; i < c->nr_x; i++)
		put_row(c, table, c->x[i]);
}

static int data(struct store *s, const struct plot_options *o, FILE *table,
		FILE *head, char *err, size_t err_size)
{
	struct curves c;
	int rc = curves_read(s, o, AXIS, KEY, &c, err, err_size);

	if (rc)
		return rc;
	if (c.nr_x < 2) {
		snprintf(err, err_size, "%s: no runs that differ in " AXIS
			 "; vmapsim sweep --set " AXIS "=0%%,3%%,10%%,30%% "
			 "--set " KEY "=clustered,scattered makes some",
			 store_path(s));
		rc = -ENODATA;
	} else {
		put_all(&c, table, head);
	}
	curves_free(&c);
	return rc;
}

const struct figure figure_regime = {
	.name = "regime",
	.help = "time of a pair and order of waiters by jitter and start",
	.data = data,
};
