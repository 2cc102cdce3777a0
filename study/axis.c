/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Axes: lists, ranges and steps, from text to texts. Numbers are integers of
 * millionths, so that "0..1us+0.1us" takes exact steps.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "study/scenario.h"

#define MICRO		1000000

struct number {
	s64 micro;
	const char *unit;	/* behind the number, with blanks before it */
	size_t unit_len;
};

struct expansion {
	const char *text;
	struct param_error *err;
	const char *unit;	/* of the last value, where it holds for all */
	size_t unit_len;
	FILE *out;		/* items, each ended by a NUL */
	size_t nr;
};

__attribute__((format(printf, 4, 5)))
static int refuse(struct expansion *x, const char *at, const char *end,
		  const char *expected, ...)
{
	size_t len = (size_t)(end - at);
	va_list ap;

	memset(x->err, 0, sizeof(*x->err));
	x->err->col = (size_t)(at - x->text);
	if (len)
		snprintf(x->err->found, sizeof(x->err->found), "\"%.*s\"",
			 len > 50 ? 50 : (int)len, at);
	else
		snprintf(x->err->found, sizeof(x->err->found), "nothing");
	va_start(ap, expected);
	vsnprintf(x->err->expected, sizeof(x->err->expected), expected, ap);
	va_end(ap);
	return -EINVAL;
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static const char *trim(const char *p, const char *end)
{
	while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return end;
}

static bool starts_number(const char *p, const char *end)
{
	return p < end && isdigit((unsigned char)*p);
}

/* The exponent of 1e6, which may be missing, as the power of ten. */
static const char *scan_exponent(const char *p, const char *end, int *power)
{
	if (p == end || (*p != 'e' && *p != 'E') || !starts_number(p + 1, end))
		return p;
	for (p++; starts_number(p, end); p++)
		*power = *power > 99 ? 99 : *power * 10 + (*p - '0');
	return p;
}

/* Behind digits, a point and digits, an exponent; NULL: too large or fine. */
static const char *scan_digits(const char *p, const char *end, s64 *micro)
{
	int nr_fraction = 0, power = 0;
	bool point = false;

	*micro = 0;
	for (; p < end; p++) {
		if (*p == '.' && !point && starts_number(p + 1, end)) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)*p))
			break;
		nr_fraction += point;
		if (__builtin_mul_overflow(*micro, (s64)10, micro) ||
		    __builtin_add_overflow(*micro, (s64)(*p - '0'), micro))
			return NULL;
	}
	p = scan_exponent(p, end, &power);
	power += 6 - nr_fraction;
	for (; *micro && power > 0; power--)
		if (__builtin_mul_overflow(*micro, (s64)10, micro))
			return NULL;
	return *micro && power < 0 ? NULL : p;
}

static bool is_unit(const char *p, const char *end)
{
	for (p = skip_blanks(p, end); p < end; p++)
		if (!isalpha((unsigned char)*p) && *p != '%')
			return false;
	return true;
}

static int scan_number(struct expansion *x, const char *p, const char *end,
		       struct number *n)
{
	*n = (struct number) { 0 };
	p = skip_blanks(p, end);
	end = trim(p, end);
	n->unit = starts_number(p, end) ? scan_digits(p, end, &n->micro) : NULL;
	if (!n->unit || !is_unit(n->unit, end))
		return refuse(x, p, end, "a number below 10^12 "
			      "with or without a unit");
	n->unit_len = (size_t)(end - n->unit);
	return 0;
}

static bool same_unit(const struct number *a, const struct number *b)
{
	return a->unit_len == b->unit_len &&
	       !memcmp(a->unit, b->unit, a->unit_len);
}

static void put_number(struct expansion *x, s64 micro, const char *unit,
		       size_t unit_len)
{
	char fraction[16];
	int len;

	snprintf(fraction, sizeof(fraction), ".%06d", (int)(micro % MICRO));
	for (len = 7; len > 1 && fraction[len - 1] == '0'; len--)
		;
	fprintf(x->out, "%lld%.*s%.*s%c", (long long)(micro / MICRO),
		len > 1 ? len : 0, fraction, (int)unit_len, unit, 0);
	x->nr++;
}

/* How a range goes on: by a step, or by a factor. */
struct stride {
	s64 step;		/* micro; 0: by the factor */
	s64 factor;
};

static int scan_stride(struct expansion *x, const char *op, const char *end,
		       const struct number *high, struct stride *s)
{
	struct number n;
	int rc;

	*s = (struct stride) { .step = MICRO };
	if (!op)
		return 0;
	rc = scan_number(x, op + 1, end, &n);
	if (rc)
		return rc;
	if (*op == '+') {
		if (!n.micro || (n.unit_len && !same_unit(&n, high)))
			return refuse(x, op, end, "a step above 0 in the unit "
				      "of the range's high end");
		s->step = n.micro;
		return 0;
	}
	if (n.unit_len || n.micro % MICRO || n.micro < 2 * MICRO)
		return refuse(x, op, end, "a factor, a whole number from 2 on");
	*s = (struct stride) { .factor = n.micro / MICRO };
	return 0;
}

static int put_range(struct expansion *x, const char *item, const char *end,
		     const struct number *low, const struct number *high,
		     const struct stride *s)
{
	const char *unit = high->unit_len ? high->unit : x->unit;
	size_t unit_len = high->unit_len ? high->unit_len : x->unit_len;
	s64 v = low->micro;

	if (low->unit_len && !same_unit(low, high))
		return refuse(x, item, end,
			      "both ends of a range in the same unit");
	if (v > high->micro)
		return refuse(x, item, end, "the low end of a range first");
	if (!s->step && !v)
		return refuse(x, item, end,
			      "a low end above 0 where a factor follows");
	if (s->step && (high->micro - v) / s->step >= PLAN_NR_MAX)
		return refuse(x, item, end, "at most %d values", PLAN_NR_MAX);
	while (v <= high->micro) {
		put_number(x, v, unit, unit_len);
		if (s->step ? __builtin_add_overflow(v, s->step, &v) :
			      __builtin_mul_overflow(v, s->factor, &v))
			break;
	}
	return 0;
}

static const char *find_dots(const char *p, const char *end)
{
	const char *dots = starts_number(p, end) ? strstr(p, "..") : NULL;

	return dots && dots < end ? dots : NULL;
}

static int expand_range(struct expansion *x, const char *item, const char *end,
			const char *dots)
{
	const char *op = dots + 2 + strcspn(dots + 2, "+*,");
	struct number low, high;
	struct stride stride;
	int rc;

	if (op >= end)
		op = NULL;
	rc = scan_number(x, item, dots, &low);
	if (!rc)
		rc = scan_number(x, dots + 2, op ? op : end, &high);
	if (!rc)
		rc = scan_stride(x, op, end, &high, &stride);
	return rc ? rc : put_range(x, item, end, &low, &high, &stride);
}

static int expand_item(struct expansion *x, const char *item, const char *end)
{
	const char *dots;
	s64 micro;

	item = skip_blanks(item, end);
	end = trim(item, end);
	if (item == end)
		return refuse(x, item, end, "a value between two commas");
	dots = find_dots(item, end);
	if (dots)
		return expand_range(x, item, end, dots);
	fwrite(item, 1, (size_t)(end - item), x->out);
	if (x->unit_len && starts_number(item, end) &&
	    scan_digits(item, end, &micro) == end)
		fwrite(x->unit, 1, x->unit_len, x->out);
	putc(0, x->out);
	x->nr++;
	return 0;
}

/* Unit of the last value, if it is the only value that has one. */
static void find_carried_unit(struct expansion *x)
{
	const char *last = strrchr(x->text, ','), *end;
	struct param_error ignored;
	struct expansion probe = { .text = x->text, .err = &ignored };
	struct number n;

	if (!last)
		return;
	end = last + strlen(last);
	last = skip_blanks(last + 1, end);
	if (find_dots(last, end)) {
		last = find_dots(last, end) + 2;
		end = last + strcspn(last, "+*");
	}
	if (scan_number(&probe, last, end, &n) || !n.unit_len)
		return;
	x->unit = n.unit;
	x->unit_len = n.unit_len;
}

/* One block: the pointers, then the texts they point to. */
static char **index_items(const char *bytes, size_t size, size_t nr)
{
	char **items = malloc(nr * sizeof(*items) + size);
	char *to = (char *)(items + nr);

	if (!items)
		return NULL;
	memcpy(to, bytes, size);
	for (size_t i = 0; i < nr; i++) {
		items[i] = to;
		to += strlen(to) + 1;
	}
	return items;
}

ssize_t axis_expand(const char *text, char ***items, struct param_error *err)
{
	struct expansion x = { .text = text, .err = err };
	char *bytes = NULL;
	size_t size;
	int rc = 0;

	x.out = open_memstream(&bytes, &size);
	if (!x.out)
		return -ENOMEM;
	find_carried_unit(&x);
	for (const char *p = text; !rc; p++) {
		const char *end = p + strcspn(p, ",");

		rc = expand_item(&x, p, end);
		if (!rc && x.nr > PLAN_NR_MAX)
			rc = refuse(&x, text, text + strlen(text),
				    "at most %d values", PLAN_NR_MAX);
		p = end;
		if (!*p)
			break;
	}
	if (fclose(x.out) && !rc)
		rc = -ENOMEM;
	*items = rc ? NULL : index_items(bytes, size, x.nr);
	if (!rc && !*items)
		rc = -ENOMEM;
	free(bytes);
	return rc ? rc : (ssize_t)x.nr;
}

/* Texts with names that are looked up may be listed, other texts may not. */
static bool names_one_of_ours(const struct param_desc *desc)
{
	return !strcmp(desc->key, "design") || !strcmp(desc->key, "workload") ||
	       !strcmp(desc->key, "machine");
}

bool axis_is_list(const struct param_desc *desc, const char *text)
{
	const char *p = text + strspn(text, " \t");

	if (desc->type == PARAM_TIMELIST ||
	    (desc->type == PARAM_STRING && !names_one_of_ours(desc)))
		return false;
	return strchr(p, ',') || find_dots(p, p + strlen(p));
}
