/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a machine's values to a topology with latencies. */
#include "models/machine.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define ASYMMETRY_PS_MAX	100	/* cells have one decimal of a ns */

__attribute__((format(printf, 3, 4)))
static int fail(char *err, size_t err_size, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(err, err_size, format, ap);
	va_end(ap);
	return -EINVAL;
}

/* "x.xml" of a file in dir/ is dir/x.xml; NULL: no memory. */
static char *topology_text(const struct machine_file *f, const char *value)
{
	size_t len = strlen(value);
	bool xml = len >= 4 && !strcmp(value + len - 4, ".xml");
	char *text;

	if (!xml || *value == '/' || !f->dir)
		return strdup(value);
	text = malloc(strlen(f->dir) + len + 1);
	if (text)
		strcpy(stpcpy(text, f->dir), value);
	return text;
}

static int apply_line(const struct machine_file *f,
		      const struct machine_line *l, struct param_set *s,
		      struct machine_error *err)
{
	bool topology = !strcmp(l->key, "topology");
	char *text = topology ? topology_text(f, l->value) : strdup(l->value);
	struct param_error what;
	int ret;

	if (!text) {
		fail(err->text, sizeof(err->text), "out of memory");
		return -ENOMEM;
	}
	ret = param_set_default(s, l->key, text, &what);
	free(text);
	if (!ret)
		return 0;
	err->line = l->nr;
	err->col = l->value_col + what.col;
	param_error_format(&what, err->text, sizeof(err->text));
	return ret;
}

/* llc and far depend on the matrix and the topology: see fill_latencies(). */
static bool needed(const struct param_desc *d)
{
	return !d->def && strcmp(d->key, "latency.llc") &&
	       strcmp(d->key, "latency.far");
}

int machine_apply(const struct machine_file *f, struct param_set *s,
		  struct machine_error *err)
{
	int ret;

	memset(err, 0, sizeof(*err));
	for (size_t i = 0; i < f->nr; i++) {
		ret = apply_line(f, &f->line[i], s, err);
		if (ret)
			return ret;
	}
	for (const struct param_desc *d = machine_params; d->key; d++) {
		const struct param_value *v = param_find(s, d->key);

		if (v && !v->set && needed(d))
			return fail(err->text, sizeof(err->text),
				    "found no %s, expected a line %s = value "
				    "# source", d->key, d->key);
	}
	return 0;
}

/* A cell "23.1", in ns, to ps; *p moves behind it. 0: none, or too large. */
static ps_t scan_cell(const char **p)
{
	ps_t ps = 0;
	bool digits = false;

	while (**p == ' ')
		++*p;
	for (; **p >= '0' && **p <= '9'; ++*p) {
		ps = ps * 10 + (ps_t)(**p - '0');
		digits = true;
		if (ps > PS_PER_S / PS_PER_NS)
			return 0;
	}
	ps *= PS_PER_NS;
	if (digits && **p == '.') {
		ps_t unit = PS_PER_NS / 10;

		for (++*p; **p >= '0' && **p <= '9'; ++*p, unit /= 10) {
			if (!unit)
				return 0;	/* finer than 1 ps */
			ps += unit * (ps_t)(**p - '0');
		}
	}
	while (**p == ' ')
		++*p;
	return ps;
}

static int read_matrix(const char *text, struct topo *t, char *err,
		       size_t err_size)
{
	u32 nr = t->nr_llcs;
	const char *p = text;

	for (u32 row = 0; row < nr; row++) {
		for (u32 col = 0; col < nr; col++) {
			char end = col + 1 < nr ? ',' : row + 1 < nr ? ';' : 0;
			ps_t ps = scan_cell(&p);

			if (!ps)
				return fail(err, err_size, "latency.llc_matrix,"
					    " row %u, cell %u: found \"%.12s\","
					    " expected ns above 0, as 23.1",
					    row + 1, col + 1, p);
			if (*p != end)
				return fail(err, err_size, "latency.llc_matrix,"
					    " after row %u, cell %u: found "
					    "\"%.12s\", expected %u rows of %u "
					    "cells: the topology has that many "
					    "last-level caches",
					    row + 1, col + 1, p, nr, nr);
			t->llc_ps[(size_t)row * nr + col] = ps;
			p += end != 0;
		}
	}
	return 0;
}

/* Both ways cost the same in the model: the mean of the two. */
static int even_out(struct topo *t, char *err, size_t err_size)
{
	u32 nr = t->nr_llcs;

	for (u32 row = 0; row < nr; row++) {
		for (u32 col = 0; col < row; col++) {
			ps_t *a = &t->llc_ps[(size_t)row * nr + col];
			ps_t *b = &t->llc_ps[(size_t)col * nr + row];

			if ((*a > *b ? *a - *b : *b - *a) > ASYMMETRY_PS_MAX)
				return fail(err, err_size, "latency.llc_matrix:"
					    " found %llu ps in row %u, cell %u "
					    "but %llu ps in row %u, cell %u, "
					    "expected a symmetric matrix",
					    (unsigned long long)*a, row + 1,
					    col + 1, (unsigned long long)*b,
					    col + 1, row + 1);
			*a = *b = (*a + *b) / 2;
		}
	}
	return 0;
}

static int fill_latencies(const struct param_set *s, struct topo *t, char *err,
			  size_t err_size)
{
	const char *matrix = param_text(s, "latency.llc_matrix");
	ps_t llc = (ps_t)param_num(s, "latency.llc");
	ps_t far = (ps_t)param_num(s, "latency.far");
	int ret;

	t->smt_ps = (ps_t)param_num(s, "latency.smt");
	if (!t->smt_ps)
		return fail(err, err_size, "found no latency.smt, expected "
			    "the machine to have one");
	if (*matrix) {
		ret = read_matrix(matrix, t, err, err_size);
		return ret ? ret : even_out(t, err, err_size);
	}
	if (!llc || (!far && t->nr_llcs > 1))
		return fail(err, err_size, "found no latency.%s, expected the "
			    "machine to have one, or a latency.llc_matrix",
			    llc ? "far" : "llc");
	for (u32 a = 0; a < t->nr_llcs; a++)
		for (u32 b = 0; b < t->nr_llcs; b++)
			t->llc_ps[(size_t)a * t->nr_llcs + b] =
				a == b ? llc : far;
	return 0;
}

int machine_topo(const struct param_set *s, struct topo *t, char *err,
		 size_t err_size)
{
	int ret;

	ret = topo_init(t, param_text(s, "topology"), err, err_size);
	if (ret)
		return ret;
	ret = fill_latencies(s, t, err, err_size);
	if (ret)
		topo_free(t);
	return ret;
}
