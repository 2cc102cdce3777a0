/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up a scenario's design, workload and machine; gathers their keys. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "study/base.h"
#include "study/machines.h"

const struct assignment *assignment_find(const struct assignment *a, size_t nr,
					 const char *key)
{
	while (nr--)
		if (!strcmp(a[nr].key, key))
			return &a[nr];
	return NULL;
}

struct lock_keys *lock_keys_get(struct lock_keys *k)
{
	if (k)
		k->refs++;
	return k;
}

void lock_keys_put(struct lock_keys *k)
{
	if (!k || --k->refs)
		return;
	free(k->desc);
	free(k->text);
	free(k);
}

static struct lock_keys *lock_keys_make(const struct vmap_design *d)
{
	struct lock_keys *k = calloc(1, sizeof(*k));
	size_t nr = 0, size = 1;
	char *to;

	if (!k)
		return NULL;
	k->refs = 1;
	for (; d->locks && d->locks[nr]; nr++)
		size += strlen("lock.") + strlen(d->locks[nr]) + 1;
	k->desc = calloc(nr + 1, sizeof(*k->desc));
	k->text = to = malloc(size);
	if (!k->desc || !k->text) {
		lock_keys_put(k);
		return NULL;
	}
	for (size_t i = 0; i < nr; i++) {
		k->desc[i] = lock_params[0];
		k->desc[i].key = to;
		to += sprintf(to, "lock.%s", d->locks[i]) + 1;
	}
	return k;
}

void base_free(struct scenario_base *b)
{
	free(b->design);
	free(b->workload);
	free(b->machine);
	lock_keys_put(b->locks);
	param_set_free(&b->defaults);
	if (b->file.name)
		machine_free(&b->file);
	*b = (struct scenario_base) { 0 };
}

/* The one value of a key that is a name, as given or by default. */
static int name_of(const struct assignment *a, size_t nr, const char *key,
		   const struct assignment **where, const char **text,
		   struct scenario_error *err)
{
	const struct param_desc *desc = scenario_desc(key);

	*where = assignment_find(a, nr, key);
	*text = *where ? (*where)->value : desc->def;
	if (*where && axis_is_list(desc, *text))
		return scenario_refuse_value(err, *where, 0, -EINVAL,
			"%s: found the list \"%.80s\", expected one value; "
			"lists are for vmapsim sweep", key, *text);
	return 0;
}

static int refuse_name(struct scenario_error *err, const struct assignment *a,
		       const char *what, const char *name,
		       const char *const *names, size_t nr)
{
	const char *near = nearest_name(name, names, nr);
	char list[160] = "";
	size_t used = 0;

	for (size_t i = 0; i < nr && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 "%s%s", i ? ", " : "", names[i]);
	return scenario_refuse_value(err, a, 0, -ENOENT,
		"%s: found \"%.60s\", expected one of %s%s%s", what, name, list,
		near ? "; nearest: " : "", near ? near : "");
}

static int find_workload(struct scenario_base *b, const struct assignment *a,
			 struct scenario_error *err)
{
	const char *names[64];
	size_t nr = 0;

	b->w = workload_find(b->workload);
	if (b->w)
		return 0;
	for (; workloads[nr] && nr < ARRAY_SIZE(names); nr++)
		names[nr] = workloads[nr]->name;
	return refuse_name(err, a, "workload", b->workload, names, nr);
}

static int find_design(struct scenario_base *b, const struct assignment *a,
		       struct scenario_error *err)
{
	const char *names[64];
	size_t nr = 0;

	b->d = vmap_design_find(b->design);
	for (; vmap_designs[nr] && nr < ARRAY_SIZE(names); nr++)
		names[nr] = vmap_designs[nr]->name;
	if (!b->d && (b->w->needs_design ||
		      strcmp(b->design, SCENARIO_NO_DESIGN)))
		return refuse_name(err, a, "design", b->design, names, nr);
	if (!b->w->needs_design)
		b->d = NULL;
	if (!b->d)
		return 0;
	b->locks = lock_keys_make(b->d);
	return b->locks ? 0 : -ENOMEM;
}

static int find_machine(struct scenario_base *b, const struct assignment *a,
			struct scenario_error *err)
{
	char path[PATH_MAX], near[64];
	struct machine_error m = { 0 };
	int rc = machine_path(b->machine, path, sizeof(path), near,
			      sizeof(near));

	if (rc == -ENOENT || rc == -ENAMETOOLONG)
		return scenario_refuse_value(err, a, 0, rc,
			"machine: found \"%.60s\", expected a name of vmapsim "
			"list machines or a .machine file%s%s", b->machine,
			*near ? "; nearest: " : "", near);
	if (!rc)
		rc = machine_read(path, &b->file, &m);
	if (rc && rc != -ENOMEM)
		return scenario_refuse_value(err, a, 0, rc,
			"machine %.120s:%zu:%zu: %s", b->machine, m.line,
			m.col, m.text);
	return rc;
}

static int gather(struct scenario_base *b, struct scenario_error *err)
{
	const struct param_desc *tables[7] = {
		scenario_params, workload_params, b->w->params, machine_params,
	};
	struct param_error bad;
	int rc;

	if (b->d) {
		tables[4] = vmap_params;
		tables[5] = b->d->params;
		tables[6] = b->locks->desc;
	}
	rc = param_set_init(&b->defaults, tables, ARRAY_SIZE(tables));
	if (rc && rc != -ENOMEM)
		return scenario_refuse_value(err, NULL, 0, rc,
			"bug: the key tables of design %s and workload %s "
			"do not fit", b->design, b->workload);
	if (!rc && !b->d)
		rc = param_set_default(&b->defaults, "design",
				       SCENARIO_NO_DESIGN, &bad);
	return rc;
}

static bool same(const char *a, const char *b)
{
	return a && !strcmp(a, b);
}

int base_update(struct scenario_base *b, const struct assignment *a,
		size_t nr, struct scenario_error *err)
{
	const struct assignment *at_design, *at_workload, *at_machine;
	const char *design, *workload, *machine;
	int rc = name_of(a, nr, "design", &at_design, &design, err);

	if (!rc)
		rc = name_of(a, nr, "workload", &at_workload, &workload, err);
	if (!rc)
		rc = name_of(a, nr, "machine", &at_machine, &machine, err);
	if (!rc && same(b->design, design) && same(b->workload, workload) &&
	    same(b->machine, machine))
		return 0;
	base_free(b);
	if (rc)
		return rc;
	b->design = strdup(design);
	b->workload = strdup(workload);
	b->machine = strdup(machine);
	rc = b->design && b->workload && b->machine ? 0 : -ENOMEM;
	if (!rc)
		rc = find_workload(b, at_workload, err);
	if (!rc)
		rc = find_design(b, at_design, err);
	if (!rc)
		rc = find_machine(b, at_machine, err);
	if (!rc)
		rc = gather(b, err);
	if (rc)
		base_free(b);
	return rc;
}
