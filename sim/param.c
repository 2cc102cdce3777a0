/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of values; single values are in param_value.c. */
#include "sim/param.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *a, const void *b)
{
	const struct param_value *va = a, *vb = b;

	return strcmp(va->desc->key, vb->desc->key);
}

static size_t count_descs(const struct param_desc *const *tables,
			  size_t nr_tables)
{
	size_t nr = 0;

	for (size_t i = 0; i < nr_tables; i++)
		for (const struct param_desc *d = tables[i]; d && d->key; d++)
			nr++;
	return nr;
}

int param_set_init(struct param_set *s, const struct param_desc *const *tables,
		   size_t nr_tables)
{
	struct param_error err;
	int ret;

	s->nr = 0;
	s->v = calloc(count_descs(tables, nr_tables) + 1, sizeof(*s->v));
	if (!s->v)
		return -ENOMEM;
	for (size_t i = 0; i < nr_tables; i++) {
		for (const struct param_desc *d = tables[i]; d && d->key; d++) {
			struct param_value *v = &s->v[s->nr++];

			v->desc = d;
			if (!d->def)
				continue;
			ret = param_parse(d, d->def, v, &err);
			if (ret) {
				ret = ret == -ENOMEM ? ret : -EINVAL;
				goto fail;
			}
		}
	}
	qsort(s->v, s->nr, sizeof(*s->v), compare_keys);
	ret = -EEXIST;
	for (size_t i = 1; i < s->nr; i++)
		if (!compare_keys(&s->v[i - 1], &s->v[i]))
			goto fail;
	return 0;
fail:
	param_set_free(s);
	return ret;
}

int param_set_copy(struct param_set *dst, const struct param_set *src)
{
	dst->nr = 0;
	dst->v = calloc(src->nr + 1, sizeof(*dst->v));
	if (!dst->v)
		return -ENOMEM;
	for (size_t i = 0; i < src->nr; i++) {
		struct param_value *v = &dst->v[dst->nr++];

		*v = src->v[i];
		if (!v->text)
			continue;
		v->text = strdup(v->text);
		if (!v->text) {
			param_set_free(dst);
			return -ENOMEM;
		}
	}
	return 0;
}

void param_set_free(struct param_set *s)
{
	for (size_t i = 0; i < s->nr; i++)
		free(s->v[i].text);
	free(s->v);
	s->v = NULL;
	s->nr = 0;
}

static struct param_value *find(const struct param_set *s, const char *key)
{
	const struct param_desc desc = { .key = key };
	const struct param_value v = { .desc = &desc };

	if (!s->nr)
		return NULL;
	return bsearch(&v, s->v, s->nr, sizeof(*s->v), compare_keys);
}

const struct param_value *param_find(const struct param_set *s,
				     const char *key)
{
	return find(s, key);
}

static int unknown_key(const struct param_set *s, const char *key,
		       struct param_error *err)
{
	const char **names = calloc(s->nr + 1, sizeof(*names));
	const char *near = NULL;

	memset(err, 0, sizeof(*err));
	snprintf(err->found, sizeof(err->found), "\"%.40s\"", key);
	snprintf(err->expected, sizeof(err->expected), "a known key");
	if (!names)
		return -ENOENT;
	for (size_t i = 0; i < s->nr; i++)
		names[i] = s->v[i].desc->key;
	near = nearest_name(key, names, s->nr);
	if (near)
		snprintf(err->nearest, sizeof(err->nearest), "%s", near);
	free(names);
	return -ENOENT;
}

static int assign(struct param_set *s, const char *key, const char *text,
		  bool given, struct param_error *err)
{
	struct param_value *v = find(s, key), new;
	int ret;

	if (!v)
		return unknown_key(s, key, err);
	if (v->given && !given)
		return 0;
	ret = param_parse(v->desc, text, &new, err);
	if (ret)
		return ret;
	new.given = given;
	free(v->text);
	*v = new;
	return 0;
}

int param_set_text(struct param_set *s, const char *key, const char *text,
		   struct param_error *err)
{
	return assign(s, key, text, true, err);
}

int param_set_default(struct param_set *s, const char *key, const char *text,
		      struct param_error *err)
{
	return assign(s, key, text, false, err);
}

static bool is_text(const struct param_desc *desc)
{
	return desc->type == PARAM_STRING || desc->type == PARAM_TIMELIST;
}

/* The caller declared the key: a miss is a bug in the program. */
static const struct param_value *must_find(const struct param_set *s,
					   const char *key, bool text)
{
	const struct param_value *v = find(s, key);

	if (!v || is_text(v->desc) != text) {
		fprintf(stderr, "bug: no %s parameter \"%s\" in this set\n",
			text ? "text" : "number", key);
		abort();
	}
	return v;
}

s64 param_num(const struct param_set *s, const char *key)
{
	return must_find(s, key, false)->num;
}

const char *param_text(const struct param_set *s, const char *key)
{
	const char *text = must_find(s, key, true)->text;

	return text ? text : "";
}

const char *param_choice(const struct param_set *s, const char *key)
{
	const struct param_value *v = must_find(s, key, false);

	if (v->desc->type != PARAM_ENUM) {
		fprintf(stderr, "bug: parameter \"%s\" has no choices\n", key);
		abort();
	}
	return v->set ? v->desc->choices[v->num] : "";
}

int param_set_canonical(const struct param_set *s, FILE *out)
{
	for (size_t i = 0; i < s->nr; i++) {
		const struct param_value *v = &s->v[i];
		char buf[64];

		if (v->text) {		/* of any length */
			fprintf(out, "%s=%s\n", v->desc->key, v->text);
			continue;
		}
		param_format(v, buf, sizeof(buf));
		fprintf(out, "%s=%s\n", v->desc->key, buf);
	}
	return ferror(out) ? -EIO : 0;
}
