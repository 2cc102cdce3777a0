/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results as a JSON document. */
#include "results/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS		"0123456789"
#define EXACT_MAX	9e15	/* integers below are exact in a double */

json_t *json_real_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_text(const char *text)
{
	json_t *value;
	char *copy, *p;

	if (!text)
		return json_null();
	value = json_string(text);
	if (value)
		return value;
	copy = strdup(text);
	if (!copy)
		return NULL;
	for (p = copy; *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

static json_t *time_ns(ps_t ps)
{
	return json_real((double)ps / (double)PS_PER_NS);
}

static json_t *counter(u64 value)
{
	return json_integer((json_int_t)value);
}

/*
 * Digits, then perhaps a fraction or a decimal exponent ("1e6"): nothing else
 * that strtod would take ("inf", "0x10", " 8"), and no "08".
 */
static bool is_number(const char *text)
{
	const char *p = text + (*text == '-');
	size_t whole = strspn(p, DIGITS), more;

	if (!whole || whole > 18 || (whole > 1 && *p == '0'))
		return false;
	p += whole;
	if (!*p)
		return true;
	if (*p != '.' && *p != 'e')
		return false;
	more = strspn(p + 1, DIGITS);
	return more && more <= (*p == 'e' ? 2 : 18) && !p[1 + more];
}

static json_t *param_value(const char *text)
{
	double value;

	if (!text || !is_number(text))
		return json_text(text);
	if (!strpbrk(text, ".e"))
		return json_integer(strtoll(text, NULL, 10));
	value = strtod(text, NULL);
	if (!strchr(text, '.') && fabs(value) < EXACT_MAX)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static json_t *params(const struct result *r)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < r->nr_params; i++)
		json_object_set_new(object, r->param[i].name,
				    param_value(r->param[i].value));
	return object;
}

static json_t *metrics(const struct result *r)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < NR_METRICS; i++) {
		const struct metric_value *v = &r->metric[i];

		json_object_set_new(object, metric_descs[i].name,
			json_pack("{s:o, s:o}",
				  "mean", json_real_or_null(v->mean),
				  "ci95", json_real_or_null(v->ci95)));
	}
	return object;
}

static json_t *locks(const struct result *r)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->nr_locks; i++) {
		const struct lock_counts *l = &r->lock[i];

		json_array_append_new(array, json_pack(
			"{s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o,"
			" s:o, s:o, s:o, s:o}",
			"name", json_text(l->name),
			"type", json_text(l->type),
			"nr_locks", (int)l->nr_locks,
			"acquisitions", counter(l->acquisitions),
			"contentions", counter(l->contentions),
			"wait_ns_total", time_ns(l->wait_total),
			"wait_ns_max", time_ns(l->wait_max),
			"hold_ns_total", time_ns(l->hold_total),
			"hold_ns_max", time_ns(l->hold_max),
			"acq_bounces", counter(l->acq_bounces),
			"con_bounces", counter(l->con_bounces),
			"pending", counter(l->pending),
			"handovers", counter(l->handovers),
			"far", counter(l->far)));
	}
	return array;
}

static json_t *lines(const struct result *r)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->nr_lines; i++) {
		const struct line_counts *l = &r->line[i];

		json_array_append_new(array, json_pack(
			"{s:o, s:i, s:o, s:o, s:o, s:o, s:o}",
			"name", json_text(l->name),
			"nr_lines", (int)l->nr_lines,
			"accesses", counter(l->accesses),
			"transfers_near", counter(l->transfers_near),
			"transfers_far", counter(l->transfers_far),
			"wait_ns_total", time_ns(l->wait_total),
			"transfer_ns_total", time_ns(l->transfer_total)));
	}
	return array;
}

static json_t *profile(const struct result *r)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < r->nr_profile; i++) {
		const struct profile_row *p = &r->profile[i];

		json_array_append_new(array, json_pack("{s:o, s:o, s:o}",
			"symbol", json_text(p->symbol),
			"self_pct", json_real_or_null(p->self_pct),
			"children_pct", json_real_or_null(p->children_pct)));
	}
	return array;
}

static json_t *run(const struct result *r)
{
	json_t *object = json_pack(
		"{s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o}",
		"key", json_text(r->key),
		"design", json_text(r->design ? r->design : "-"),
		"workload", json_text(r->workload),
		"machine", json_text(r->machine),
		"params", params(r),
		"replications", (int)r->replications,
		"state", json_text(r->state),
		"regime", json_text(regime_names[r->regime]),
		"metrics", metrics(r),
		"locks", locks(r),
		"lines", lines(r),
		"profile", profile(r));

	if (r->error)
		json_object_set_new(object, "error", json_text(r->error));
	if (r->repeat)
		json_object_set_new(object, "repeat", json_text(r->repeat));
	return object;
}

static int dump(FILE *out, json_t *value)
{
	int rc = 0;

	if (!value)
		return -ENOMEM;
	if (json_dumpf(value, out, JSON_ENCODE_ANY | JSON_ENSURE_ASCII))
		rc = -EIO;
	json_decref(value);
	return rc;
}

int runs_json_write(FILE *out, const char *version,
		    const struct result *const *r, size_t nr)
{
	size_t i;
	int rc;

	fprintf(out, "{\"schema\": %d, \"version\": ", RUNS_JSON_SCHEMA);
	rc = dump(out, json_text(version));
	fputs(", \"runs\": [", out);
	for (i = 0; !rc && i < nr; i++) {
		fputs(i ? ",\n" : "\n", out);
		rc = dump(out, run(r[i]));
	}
	fputs(nr ? "\n]}\n" : "]}\n", out);
	if (!rc && (fflush(out) || ferror(out)))
		rc = -EIO;
	return rc;
}
