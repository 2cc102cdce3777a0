/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From assignments with lists to all the scenarios that they mean. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "study/base.h"

struct axis {
	struct assignment *at;	/* in planner.a, whose value is put in */
	const char *text;	/* the list */
	char **item;
	size_t nr;
};

struct planner {
	struct plan *plan;
	struct scenario_error *err;
	struct assignment *a;	/* one of each key; values change by point */
	bool *used;		/* at some point */
	size_t nr;
	struct axis *axis;
	size_t nr_axes;
	struct scenario_base base;
};

/* The last of each key, in the order in which the keys came first. */
static void take_effective(struct planner *p, const struct assignment *a,
			   size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		size_t k = 0;

		while (k < p->nr && strcmp(p->a[k].key, a[i].key))
			k++;
		p->a[k] = a[i];
		if (k == p->nr)
			p->nr++;
	}
}

static int add_axis(struct planner *p, struct assignment *a)
{
	struct param_error bad;
	struct axis *x = &p->axis[p->nr_axes];
	ssize_t nr = axis_expand(a->value, &x->item, &bad);
	char text[320];

	if (nr == -EINVAL) {
		param_error_format(&bad, text, sizeof(text));
		return scenario_refuse_value(p->err, a, bad.col, -EINVAL,
					     "%s: %s", a->key, text);
	}
	if (nr < 0)
		return (int)nr;
	x->at = a;
	x->text = a->value;
	x->nr = (size_t)nr;
	p->nr_axes++;
	return 0;
}

static int find_axes(struct planner *p)
{
	size_t total = 1;

	for (size_t i = 0; i < p->nr; i++) {
		const struct param_desc *desc = scenario_desc(p->a[i].key);
		int rc;

		if (!desc || !axis_is_list(desc, p->a[i].value))
			continue;
		rc = add_axis(p, &p->a[i]);
		if (rc)
			return rc;
		total *= p->axis[p->nr_axes - 1].nr;	/* both <= 10^6 */
		if (total > PLAN_NR_MAX)
			return scenario_refuse_value(p->err, &p->a[i], 0,
				-EINVAL, "%s: found more than %d "
				"combinations, expected fewer or shorter lists",
				p->a[i].key, PLAN_NR_MAX);
	}
	p->plan->point = calloc(total, sizeof(*p->plan->point));
	if (!p->plan->point)
		return -ENOMEM;
	return 0;
}

/* Puts the values of a point in: the last axis varies fastest. */
static void choose(struct planner *p, size_t point)
{
	for (size_t i = p->nr_axes; i--;) {
		struct axis *x = &p->axis[i];

		x->at->value = x->item[point % x->nr];
		point /= x->nr;
	}
}

/* An item's message points to the item, if it stands in the list as it is. */
static void point_to_item(struct planner *p)
{
	for (size_t i = 0; i < p->nr_axes; i++) {
		const struct axis *x = &p->axis[i];
		const char *item;

		if (p->err->file != x->at->file ||
		    p->err->line != x->at->line ||
		    p->err->col != x->at->value_col || !p->err->col)
			continue;
		item = strstr(x->text, x->at->value);
		if (item)
			p->err->col += (size_t)(item - x->text);
	}
}

static int make_points(struct planner *p)
{
	size_t total = 1;

	for (size_t i = 0; i < p->nr_axes; i++)
		total *= p->axis[i].nr;
	for (size_t i = 0; i < total; i++) {
		int rc;

		choose(p, i);
		rc = base_update(&p->base, p->a, p->nr, p->err);
		if (!rc)
			rc = scenario_init_on(&p->plan->point[i], &p->base,
					      p->a, p->nr, p->used, p->err);
		if (rc) {
			point_to_item(p);
			return rc;
		}
		p->plan->nr++;
	}
	for (size_t i = 0; i < p->nr; i++)
		if (!p->used[i])
			return strcmp(p->a[i].key, "design") ?
			       scenario_refuse_stray(p->err, &p->a[i],
						     &p->base) :
			       scenario_refuse_key(p->err, &p->a[i], -EINVAL,
					"found a design, expected none: the "
					"workload has no kernel model");
	return 0;
}

int plan_init(struct plan *plan, const struct assignment *a, size_t nr,
	      struct scenario_error *err)
{
	struct planner p = {
		.plan = plan, .err = err,
		.a = calloc(nr + 1, sizeof(*p.a)),
		.used = calloc(nr + 1, sizeof(*p.used)),
		.axis = calloc(nr + 1, sizeof(*p.axis)),
	};
	int rc = p.a && p.used && p.axis ? 0 : -ENOMEM;

	*plan = (struct plan) { 0 };
	*err = (struct scenario_error) { 0 };
	if (!rc) {
		take_effective(&p, a, nr);
		rc = find_axes(&p);
	}
	if (!rc)
		rc = make_points(&p);
	if (rc)
		plan_free(plan);
	for (size_t i = 0; i < p.nr_axes; i++)
		free(p.axis[i].item);
	base_free(&p.base);
	free(p.axis);
	free(p.used);
	free(p.a);
	return rc;
}

void plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->nr; i++)
		scenario_free(&p->point[i]);
	free(p->point);
	*p = (struct plan) { 0 };
}

int plan_append(struct plan *p, struct plan *more)
{
	struct scenario *point;

	if (p->nr + more->nr > PLAN_NR_MAX)
		return -E2BIG;
	point = realloc(p->point, (p->nr + more->nr + 1) * sizeof(*point));
	if (!point)
		return -ENOMEM;
	p->point = point;
	if (more->nr)
		memcpy(point + p->nr, more->point, more->nr * sizeof(*point));
	p->nr += more->nr;
	more->nr = 0;
	return 0;
}
