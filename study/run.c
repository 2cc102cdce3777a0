/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One scenario: its replications in order, until they are enough. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/version.h"
#include "study/aggregate.h"
#include "study/run.h"

/* The value of a parameter as a user would write it; NULL: no memory. */
static char *spelling(const struct param_value *v)
{
	int size = param_format(v, NULL, 0);
	char *text = size < 0 ? NULL : malloc((size_t)size + 1);

	if (text)
		param_format(v, text, (size_t)size + 1);
	return text;
}

static char *spelling_of(const struct scenario *s, const char *key)
{
	const struct param_value *v = param_find(&s->params, key);

	return v ? spelling(v) : strdup("");
}

static bool needs_quotes(const char *text)
{
	return !*text || text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				     "_-+=:,./@%^")];
}

static void put_word(FILE *out, const char *text)
{
	if (!needs_quotes(text)) {
		fputs(text, out);
		return;
	}
	putc('\'', out);
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else
			putc(*text, out);
	putc('\'', out);
}

/*
 * What the user gave is enough to repeat a run: everything else follows from
 * the version and the machine file, and both are part of the key.
 */
static char *repeat_command(const struct scenario *s)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool failed = !out;

	if (!out)
		return NULL;
	fputs("vmapsim run", out);
	for (size_t i = 0; i < s->params.nr; i++) {
		const struct param_value *v = &s->params.v[i];
		char *value;

		if (!v->given)
			continue;
		value = spelling(v);
		if (!value) {
			failed = true;
			break;
		}
		fprintf(out, " --set %s=", v->desc->key);
		put_word(out, value);
		free(value);
	}
	if (fclose(out) || failed) {
		free(text);
		return NULL;
	}
	return text;
}

static int describe_params(struct result *r, const struct param_set *p)
{
	r->param = calloc(p->nr + 1, sizeof(*r->param));
	if (!r->param)
		return -ENOMEM;
	for (size_t i = 0; i < p->nr; i++) {
		const struct param_value *v = &p->v[i];
		struct result_param *to = &r->param[r->nr_params];

		if (!v->set)
			continue;
		to->name = strdup(v->desc->key);
		to->value = spelling(v);
		if (!to->name || !to->value) {
			free(to->name);
			free(to->value);
			return -ENOMEM;
		}
		r->nr_params++;
	}
	return 0;
}

int result_describe(struct result *r, const struct scenario *s)
{
	*r = (struct result) { .state = "interrupted" };
	for (int m = 0; m < NR_METRICS; m++)
		r->metric[m] = (struct metric_value) { NAN, NAN };
	memcpy(r->key, s->key, sizeof(r->key));
	r->design = spelling_of(s, "design");
	r->workload = spelling_of(s, "workload");
	r->machine = spelling_of(s, "machine");
	r->version = strdup(version_full());
	r->repeat = repeat_command(s);
	if (!r->design || !r->workload || !r->machine || !r->version ||
	    !r->repeat)
		return -ENOMEM;
	r->seed = (u64)param_num(&s->params, "seed");
	r->nr_threads = (u32)param_num(&s->params, "nr_threads");
	return describe_params(r, &s->params);
}

int result_fail(struct result *r, int rc, const char *why)
{
	r->state = "failed";
	free(r->error);
	r->error = strdup(why && *why ? why : strerror(-rc));
	return r->error ? rc : -ENOMEM;
}

struct stopping {
	u32 least, most;
	double ci;		/* relative half-width wanted; 0: fixed number */
};

static struct stopping stopping_rule(const struct scenario *s)
{
	const struct param_value *ci = param_find(&s->params, "ci");
	struct stopping rule = {
		.least = (u32)param_num(&s->params, "replications"),
	};

	rule.most = rule.least;
	if (ci && ci->num > 0) {
		rule.ci = (double)ci->num / 1e6;
		if (rule.most < NR_REPLICATIONS_MAX)
			rule.most = NR_REPLICATIONS_MAX;
	}
	return rule;
}

/* Looks at the replications so far and at nothing else. */
static bool enough(const struct stopping *rule, const struct aggregate *a)
{
	struct metric_value v;

	if (a->nr < rule->least)
		return false;
	if (a->nr >= rule->most)
		return true;
	v = aggregate_metric(a, METRIC_pair_ns);
	return v.ci95 <= rule->ci * fabs(v.mean);
}

static int replicate(const struct workload *w, const struct scenario *s,
		     struct aggregate *a, const volatile int *stop,
		     char *why, size_t why_size)
{
	const struct stopping rule = stopping_rule(s);
	struct outcome *o = malloc(sizeof(*o));
	int rc = o ? aggregate_init(a, rule.most) : -ENOMEM;

	while (!rc && !enough(&rule, a)) {
		if (stop && *stop) {
			rc = -EINTR;
			break;
		}
		outcome_init(o);
		rc = w->run(&s->params, a->nr, o, why, why_size);
		if (!rc)
			rc = aggregate_add(a, o);
	}
	free(o);
	return rc;
}

int study_run_workload(const struct workload *w, const struct scenario *s,
		       struct result *r, const volatile int *stop)
{
	struct timespec from, to;
	struct aggregate a = { 0 };
	char why[400] = "";
	int rc;

	clock_gettime(CLOCK_MONOTONIC, &from);
	rc = result_describe(r, s);
	if (!rc)
		rc = replicate(w, s, &a, stop, why, sizeof(why));
	if (!rc)
		rc = aggregate_finish(&a, r);
	aggregate_free(&a);
	clock_gettime(CLOCK_MONOTONIC, &to);
	r->elapsed_s = (double)(to.tv_sec - from.tv_sec) +
		       1e-9 * (double)(to.tv_nsec - from.tv_nsec);
	if (!rc)
		r->state = "done";
	else if (rc != -EINTR)
		rc = result_fail(r, rc, why);
	return rc;
}

int study_run(const struct scenario *s, struct result *r,
	      const volatile int *stop)
{
	char *name = spelling_of(s, "workload");
	const struct workload *w = name ? workload_find(name) : NULL;
	int rc;

	if (w) {
		rc = study_run_workload(w, s, r, stop);
	} else {
		char why[120];

		snprintf(why, sizeof(why), "no workload %s", name ? name : "");
		rc = result_describe(r, s);
		rc = result_fail(r, rc ? rc : -ENOENT, why);
	}
	free(name);
	return rc;
}
