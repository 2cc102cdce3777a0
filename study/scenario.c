/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From assignments to the complete, hashed parameters of one run. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "sim/version.h"
#include "study/base.h"

static void add_table(struct param_table *t, size_t *nr,
		      const struct param_desc *desc, const char *room,
		      const char *name)
{
	if (!desc || !desc->key)
		return;
	t[*nr] = (struct param_table) { desc, room, name };
	++*nr;
}

struct param_table *scenario_tables(size_t *nr)
{
	struct param_table *t;
	size_t size = 5;

	for (size_t i = 0; workloads[i]; i++)
		size++;
	for (size_t i = 0; vmap_designs[i]; i++)
		size++;
	t = calloc(size, sizeof(*t));
	*nr = 0;
	if (!t)
		return NULL;
	add_table(t, nr, scenario_params, "scenario", NULL);
	add_table(t, nr, lock_params, "lock", NULL);
	add_table(t, nr, workload_params, "workload", NULL);
	for (size_t i = 0; workloads[i]; i++)
		add_table(t, nr, workloads[i]->params, "workload",
			  workloads[i]->name);
	add_table(t, nr, vmap_params, "design", NULL);
	for (size_t i = 0; vmap_designs[i]; i++)
		add_table(t, nr, vmap_designs[i]->params, "design",
			  vmap_designs[i]->name);
	add_table(t, nr, machine_params, "machine", NULL);
	return t;
}

/* The table that has a key, *desc its descriptor in there. */
static bool find_key(const char *key, struct param_table *table,
		     const struct param_desc **desc)
{
	size_t nr;
	struct param_table *t = scenario_tables(&nr);
	const char *sought = strncmp(key, "lock.", 5) ? key :
			     lock_params[0].key;
	bool found = false;

	for (size_t i = 0; t && i < nr && !found; i++) {
		for (const struct param_desc *d = t[i].desc; d->key; d++) {
			if (strcmp(d->key, sought))
				continue;
			*table = t[i];
			*desc = d;
			found = true;
			break;
		}
	}
	free(t);
	return found;
}

const struct param_desc *scenario_desc(const char *key)
{
	const struct param_desc *desc = NULL;
	struct param_table t;

	find_key(key, &t, &desc);
	return desc;
}

static void locate(struct scenario_error *err, const struct assignment *a,
		   size_t col, const char *fmt, va_list ap)
{
	*err = (struct scenario_error) { 0 };
	if (a) {
		err->file = a->file;
		err->line = a->line;
		err->col = col;
	}
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
}

int scenario_refuse_key(struct scenario_error *err, const struct assignment *a,
			int rc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	locate(err, a, a->key_col, fmt, ap);
	va_end(ap);
	return rc;
}

int scenario_refuse_value(struct scenario_error *err,
			  const struct assignment *a, size_t at, int rc,
			  const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	locate(err, a, a && a->value_col ? a->value_col + at : 0, fmt, ap);
	va_end(ap);
	return rc;
}

static int refuse_foreign(struct scenario_error *err,
			  const struct assignment *a,
			  const struct scenario_base *b,
			  const struct param_table *t)
{
	if (!b->d && strcmp(t->room, "workload"))
		return scenario_refuse_key(err, a, -EINVAL,
			"found key \"%.60s\" of %s%s, expected none: workload "
			"%s has no kernel model", a->key,
			t->name ? "design " : "the designs",
			t->name ? t->name : "", b->w->name);
	return scenario_refuse_key(err, a, -EINVAL,
		"found key \"%.60s\" of %s %s, expected one in use: the %s is "
		"%s", a->key, t->room, t->name ? t->name : "?", t->room,
		strcmp(t->room, "design") ? b->w->name : b->d->name);
}

int scenario_refuse_stray(struct scenario_error *err,
			  const struct assignment *a,
			  const struct scenario_base *b)
{
	const struct param_desc *desc;
	struct param_table table = { 0 };
	struct param_error bad;
	struct param_set copy;
	int rc;

	if (strncmp(a->key, "lock.", 5) && find_key(a->key, &table, &desc))
		return refuse_foreign(err, a, b, &table);
	/* for its search of the nearest key in use */
	rc = param_set_copy(&copy, &b->defaults);
	if (rc)
		return rc;
	rc = param_set_text(&copy, a->key, a->value, &bad);
	param_set_free(&copy);
	if (rc != -ENOENT)
		return rc;
	return scenario_refuse_key(err, a, -ENOENT,
		"found unknown key \"%.60s\", expected one of vmapsim list "
		"params%s%s", a->key, *bad.nearest ? "; nearest: " : "",
		bad.nearest);
}

/* Is it a key, though none of this base's? lock.NAME is any design's. */
static bool is_foreign(const char *key)
{
	return scenario_desc(key);
}

static int refuse_text(struct scenario_error *err, const struct assignment *a,
		       const struct param_desc *desc, int rc,
		       const struct param_error *bad)
{
	char text[320];

	if (rc == -ENOMEM)
		return rc;
	if (axis_is_list(desc, a->value))
		return scenario_refuse_value(err, a, 0, -EINVAL,
			"%s: found the list \"%.80s\", expected one value; "
			"lists are for vmapsim sweep", a->key, a->value);
	param_error_format(bad, text, sizeof(text));
	return scenario_refuse_value(err, a, bad->col, rc, "%s: %s", a->key,
				     text);
}

static int set_all(struct scenario *s, const struct scenario_base *b,
		   const struct assignment *a, size_t nr, bool *used,
		   struct scenario_error *err)
{
	for (size_t i = 0; i < nr; i++) {
		const struct param_value *v = param_find(&s->params, a[i].key);
		bool no_design = !b->d && !strcmp(a[i].key, "design") &&
				 strcmp(a[i].value, SCENARIO_NO_DESIGN);
		struct param_error bad;
		int rc;

		if (assignment_find(a, nr, a[i].key) != &a[i])
			continue;	/* a later one counts */
		if (used && ((!v && is_foreign(a[i].key)) || no_design))
			continue;
		if (!v)
			return scenario_refuse_stray(err, &a[i], b);
		if (no_design)
			return scenario_refuse_value(err, &a[i], 0, -EINVAL,
				"design: found \"%.60s\", expected none: "
				"workload %s has no kernel model", a[i].value,
				b->w->name);
		rc = param_set_text(&s->params, a[i].key, a[i].value, &bad);
		if (rc)
			return refuse_text(err, &a[i], v->desc, rc, &bad);
		if (used)
			used[i] = true;
	}
	return 0;
}

/* Given, and not as the zero that stands for no value. */
static bool is_given(const struct param_set *p, const char *key)
{
	const struct param_value *v = param_find(p, key);

	return v && v->given && v->num;
}

static int cross_check(const struct scenario *s, const struct assignment *a,
		       size_t nr, struct scenario_error *err)
{
	if (is_given(&s->params, "loops") && is_given(&s->params, "duration"))
		return scenario_refuse_key(err,
			assignment_find(a, nr, "duration"), -EINVAL,
			"found duration beside loops, expected one of them");
	return 0;
}

static int apply_machine(struct scenario *s, const struct scenario_base *b,
			 const struct assignment *a, size_t nr,
			 struct scenario_error *err)
{
	struct machine_error m = { 0 };
	int rc = machine_apply(&b->file, &s->params, &m);

	if (rc && rc != -ENOMEM)
		return scenario_refuse_value(err,
			assignment_find(a, nr, "machine"), 0, rc,
			"machine %.120s:%zu:%zu: %s", b->machine, m.line,
			m.col, m.text);
	return rc;
}

/* XXH3's 128 bits of all that determines the numbers. */
static int make_key(struct scenario *s)
{
	XXH128_canonical_t hash;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int rc;

	if (!out)
		return -ENOMEM;
	rc = param_set_canonical(&s->params, out);
	fprintf(out, "model=%d\n", MODEL_VERSION);
	if (fclose(out) || rc) {
		free(text);
		return -ENOMEM;
	}
	XXH128_canonicalFromHash(&hash, XXH3_128bits(text, size));
	for (size_t i = 0; i < sizeof(hash.digest); i++)
		sprintf(s->key + 2 * i, "%02x", hash.digest[i]);
	free(text);
	return 0;
}

int scenario_init_on(struct scenario *s, const struct scenario_base *b,
		     const struct assignment *a, size_t nr, bool *used,
		     struct scenario_error *err)
{
	int rc;

	*s = (struct scenario) { 0 };
	rc = param_set_copy(&s->params, &b->defaults);
	if (rc)
		return rc;
	s->locks = lock_keys_get(b->locks);
	rc = set_all(s, b, a, nr, used, err);
	if (!rc)
		rc = cross_check(s, a, nr, err);
	if (!rc)
		rc = apply_machine(s, b, a, nr, err);
	if (!rc)
		rc = make_key(s);
	if (rc)
		scenario_free(s);
	return rc;
}

int scenario_init(struct scenario *s, const struct assignment *a, size_t nr,
		  struct scenario_error *err)
{
	struct scenario_base b = { 0 };
	int rc;

	*err = (struct scenario_error) { 0 };
	*s = (struct scenario) { 0 };
	rc = base_update(&b, a, nr, err);
	if (!rc)
		rc = scenario_init_on(s, &b, a, nr, NULL, err);
	base_free(&b);
	return rc;
}

void scenario_free(struct scenario *s)
{
	param_set_free(&s->params);
	lock_keys_put(s->locks);
	*s = (struct scenario) { 0 };
}

int scenario_print(const struct scenario *s, FILE *out)
{
	for (size_t i = 0; i < s->params.nr; i++) {
		const struct param_value *v = &s->params.v[i];
		int size = param_format(v, NULL, 0);
		char *text;

		if (size <= 0)		/* no value, or an empty text */
			continue;
		text = malloc((size_t)size + 1);
		if (!text)
			return -ENOMEM;
		param_format(v, text, (size_t)size + 1);
		fprintf(out, "%s = %s\n", v->desc->key, text);
		free(text);
	}
	return ferror(out) ? -EIO : 0;
}
