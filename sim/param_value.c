/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One value: from text and back. Exact integer arithmetic throughout. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/param.h"

#define PAGE_BYTES	4096
#define NR_DIGITS_MAX	20	/* times any unit it fits into 128 bits */

struct unit {
	const char *name;	/* "": a bare number */
	u64 factor;
};

static const struct unit int_units[] = { { "", 1 }, { NULL, 0 } };
static const struct unit time_units[] = {
	{ "ps", 1 }, { "ns", PS_PER_NS }, { "us", PS_PER_US },
	{ "ms", PS_PER_MS }, { "s", PS_PER_S }, { NULL, 0 },
};
static const struct unit byte_units[] = {
	{ "", 1 }, { "K", 1ull << 10 }, { "M", 1ull << 20 },
	{ "G", 1ull << 30 }, { "T", 1ull << 40 }, { "B", 1 },
	{ "KiB", 1ull << 10 }, { "MiB", 1ull << 20 }, { "GiB", 1ull << 30 },
	{ "TiB", 1ull << 40 }, { NULL, 0 },
};
/* in bytes */
static const struct unit page_units[] = {
	{ "K", 1ull << 10 }, { "M", 1ull << 20 }, { "G", 1ull << 30 },
	{ "T", 1ull << 40 }, { "B", 1 }, { "KiB", 1ull << 10 },
	{ "MiB", 1ull << 20 }, { "GiB", 1ull << 30 }, { "TiB", 1ull << 40 },
	{ "pages", PAGE_BYTES }, { "page", PAGE_BYTES }, { NULL, 0 },
};
static const struct unit ppm_units[] = {
	{ "%", 10000 }, { "", 1000000 }, { NULL, 0 },
};

/* How a type of number is written. */
struct scale {
	const struct unit *units;
	u64 divisor;		/* of units' smallest, to the base unit */
	bool fractions;		/* written with decimals where shorter */
	const char *expected, *finest;
};

static const struct scale scales[] = {
	[PARAM_INT] = { int_units, 1, false, "an integer such as 8 or 1e6",
			"a whole number" },
	[PARAM_TIME] = { time_units, 1, true,
			 "a time with its unit: ps, ns, us, ms or s",
			 "a whole number of ps" },
	[PARAM_BYTES] = { byte_units, 1, false,
			  "bytes: a number, or one with K, M, G or T",
			  "a whole number of bytes" },
	[PARAM_PAGES] = { page_units, PAGE_BYTES, false,
			  "a size with its unit: pages, K, M, G or T",
			  "a multiple of 4K, the size of a page" },
	[PARAM_PPM] = { ppm_units, 1, true,
			"a share such as 1% or 0.01",
			"a multiple of 0.0001%" },
};

__attribute__((format(printf, 5, 6)))
static int refuse(struct param_error *err, const char *text, const char *at,
		  const char *note, const char *expected, ...)
{
	size_t len;
	va_list ap;

	memset(err, 0, sizeof(*err));
	err->col = (size_t)(at - text);
	if (!*at)		/* point behind it, but show what there is */
		at = text;
	len = strcspn(at, "\n");
	snprintf(err->found, sizeof(err->found), "\"%.*s%s\"%s",
		 len > 36 ? 33 : (int)len, at, len > 36 ? "..." : "", note);
	for (char *p = err->found; *p; p++)
		if (!isprint((unsigned char)*p))
			*p = '?';
	va_start(ap, expected);
	vsnprintf(err->expected, sizeof(err->expected), expected, ap);
	va_end(ap);
	return -EINVAL;
}

static void refuse_nearest(struct param_error *err, const char *name)
{
	if (name)
		snprintf(err->nearest, sizeof(err->nearest), "%s", name);
}

int param_error_format(const struct param_error *err, char *buf, size_t size)
{
	return snprintf(buf, size, "found %s, expected %s%s%s", err->found,
			err->expected, err->nearest[0] ? "; nearest: " : "",
			err->nearest);
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Length without blanks at the end. */
static size_t trimmed(const char *p)
{
	size_t len = strlen(p);

	while (len && (p[len - 1] == ' ' || p[len - 1] == '\t'))
		len--;
	return len;
}

struct decimal {
	bool negative;
	u128 digits;
	u32 nr_fraction, exponent;
};

/* Returns the character behind the number, NULL when there is none. */
static const char *scan_decimal(const char *p, bool integer, struct decimal *d)
{
	u32 nr = 0;

	memset(d, 0, sizeof(*d));
	if (*p == '-' || *p == '+')
		d->negative = *p++ == '-';
	if (!isdigit((unsigned char)*p))
		return NULL;
	for (bool point = false; ; p++) {
		if (*p == '.' && !point && !integer &&
		    isdigit((unsigned char)p[1])) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char)*p))
			break;
		d->digits = d->digits * 10 + (u32)(*p - '0');
		d->nr_fraction += point;
		if (d->digits && ++nr > NR_DIGITS_MAX)
			return NULL;
	}
	if (integer && (*p == 'e' || *p == 'E') &&
	    isdigit((unsigned char)p[1])) {
		for (p++; isdigit((unsigned char)*p); p++)
			if (d->exponent < 100)
				d->exponent = d->exponent * 10 +
					      (u32)(*p - '0');
	}
	return p;
}

static const struct unit *find_unit(const struct unit *u, const char *name,
				    size_t len)
{
	for (; u->name; u++)
		if (strlen(u->name) == len && !strncmp(u->name, name, len))
			return u;
	return NULL;
}

static const char *nearest_unit(const struct unit *u, const char *text)
{
	const char *names[16];
	size_t nr = 0;

	/* lengths of one allow no edit: only the case can be wrong there */
	for (; u->name; u++)
		if (*u->name)
			names[nr++] = u->name;
	return nearest_name(text, names, nr);
}

static int check_range(const struct param_desc *desc, const char *text,
		       s64 num, struct param_error *err)
{
	bool any = !desc->min && !desc->max;
	struct param_value v = { .desc = desc, .set = true };
	char min[48], max[48];

	if (any ? num >= 0 : num >= desc->min && num <= desc->max)
		return 0;
	v.num = desc->min;
	param_format(&v, min, sizeof(min));
	v.num = desc->max;
	param_format(&v, max, sizeof(max));
	if (any || desc->max == INT64_MAX)
		refuse(err, text, text, "", "at least %s", min);
	else
		refuse(err, text, text, "", "from %s to %s", min, max);
	return -ERANGE;
}

static int too_large(const struct param_desc *desc, const char *text,
		     const struct decimal *d, struct param_error *err)
{
	if (!check_range(desc, text, d->negative ? INT64_MIN : INT64_MAX, err))
		refuse(err, text, text, "", "less than 2^63");
	return -ERANGE;
}

static int parse_scaled(const struct param_desc *desc, const char *text,
			s64 *num, struct param_error *err)
{
	const struct scale *scale = &scales[desc->type];
	const char *start = skip_blanks(text), *end;
	const struct unit *unit;
	struct decimal d;
	u128 v;

	end = scan_decimal(start, desc->type == PARAM_INT, &d);
	if (!end)
		return refuse(err, text, start, "", "%s", scale->expected);
	end = skip_blanks(end);
	unit = find_unit(scale->units, end, trimmed(end));
	if (!unit) {
		refuse(err, text, end, *end ? "" : " without a unit", "%s",
		       scale->expected);
		refuse_nearest(err, nearest_unit(scale->units, end));
		return -EINVAL;
	}
	v = d.digits * unit->factor;
	for (; d.exponent && v; d.exponent--) {
		v *= 10;
		if (v > INT64_MAX)
			return too_large(desc, text, &d, err);
	}
	for (; d.nr_fraction; d.nr_fraction--) {
		if (v % 10)
			return refuse(err, text, start, "", "%s",
				      scale->finest);
		v /= 10;
	}
	if (v % scale->divisor)
		return refuse(err, text, start, "", "%s", scale->finest);
	v /= scale->divisor;
	if (v > INT64_MAX)
		return too_large(desc, text, &d, err);
	*num = d.negative ? -(s64)v : (s64)v;
	return check_range(desc, text, *num, err);
}

static int parse_bool(const char *text, s64 *num, struct param_error *err)
{
	static const char *const words[] = { "off", "on", "no", "yes", "0",
					     "1" };
	const char *start = skip_blanks(text);
	size_t len = trimmed(start);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strlen(words[i]) == len && !strncmp(words[i], start, len)) {
			*num = i % 2;
			return 0;
		}
	}
	refuse(err, text, start, "", "on or off, or yes or no");
	refuse_nearest(err, nearest_name(start, words, ARRAY_SIZE(words)));
	return -EINVAL;
}

static int parse_enum(const struct param_desc *desc, const char *text,
		      s64 *num, struct param_error *err)
{
	const char *start = skip_blanks(text);
	size_t len = trimmed(start), nr, used = 0;
	char list[sizeof(err->expected) - 8] = "";

	for (nr = 0; nr < PARAM_NR_CHOICES_MAX && desc->choices[nr]; nr++) {
		const char *name = desc->choices[nr];

		if (strlen(name) == len && !strncmp(name, start, len)) {
			*num = (s64)nr;
			return 0;
		}
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used,
						 sizeof(list) - used, "%s%s",
						 nr ? ", " : "", name);
	}
	if (used >= sizeof(list))
		memcpy(list + sizeof(list) - 4, "...", 4);
	refuse(err, text, start, "", "one of %s", list);
	refuse_nearest(err, nearest_name(start, desc->choices, nr));
	return -EINVAL;
}

/* One time of a list, which ends at a comma or at the end of the text. */
static int parse_list_item(const struct param_desc *desc, const char *item,
			   size_t len, s64 *ps, struct param_error *err)
{
	const struct param_desc one = { .key = desc->key, .type = PARAM_TIME,
					.min = desc->min, .max = desc->max };
	char buf[64];

	if (len >= sizeof(buf))
		return refuse(err, item, item, "", "%s",
			      scales[PARAM_TIME].expected);
	memcpy(buf, item, len);
	buf[len] = '\0';
	return parse_scaled(&one, buf, ps, err);
}

static int parse_list(const struct param_desc *desc, const char *text,
		      char **out, struct param_error *err)
{
	const struct param_desc one = { .type = PARAM_TIME };
	struct param_value v = { .desc = &one, .set = true };
	const char *p = text;
	size_t size;
	FILE *f = open_memstream(out, &size);
	int ret = f ? 0 : -ENOMEM;
	char buf[48];

	while (!ret && *skip_blanks(text)) {
		size_t len = strcspn(p, ",");

		ret = parse_list_item(desc, p, len, &v.num, err);
		if (ret) {
			err->col += (size_t)(p - text);
			break;
		}
		param_format(&v, buf, sizeof(buf));
		fputs(buf, f);
		if (!p[len])
			break;
		fputc(',', f);
		p += len + 1;
	}
	if (f && fclose(f) && !ret)
		ret = -ENOMEM;
	if (ret && f) {
		free(*out);
		*out = NULL;
	}
	return ret;
}

ssize_t param_times(const char *text, u64 *ps, size_t nr_max)
{
	const struct param_desc desc = { .type = PARAM_TIMELIST };
	struct param_error err;
	const char *p = text;
	ssize_t nr = 0;
	s64 num;

	while (*skip_blanks(text)) {
		size_t len = strcspn(p, ",");

		if (parse_list_item(&desc, p, len, &num, &err))
			return -EINVAL;
		if ((size_t)nr < nr_max)
			ps[nr] = (u64)num;
		nr++;
		if (!p[len])
			break;
		p += len + 1;
	}
	return nr;
}

static int parse_string(const char *text, char **out, struct param_error *err)
{
	const char *start = skip_blanks(text);

	if (strchr(start, '\n'))
		return refuse(err, text, strchr(start, '\n'), "",
			      "text of one line");
	*out = strndup(start, trimmed(start));
	return *out ? 0 : -ENOMEM;
}

int param_parse(const struct param_desc *desc, const char *text,
		struct param_value *out, struct param_error *err)
{
	int ret;

	memset(err, 0, sizeof(*err));
	*out = (struct param_value){ .desc = desc };
	switch (desc->type) {
	case PARAM_BOOL:
		ret = parse_bool(text, &out->num, err);
		break;
	case PARAM_ENUM:
		ret = parse_enum(desc, text, &out->num, err);
		break;
	case PARAM_STRING:
		ret = parse_string(text, &out->text, err);
		break;
	case PARAM_TIMELIST:
		ret = parse_list(desc, text, &out->text, err);
		break;
	default:
		ret = parse_scaled(desc, text, &out->num, err);
		break;
	}
	out->set = !ret;
	return ret;
}

/* value / factor as a decimal, exactly; factor is a power of ten. */
static void format_decimal(u128 value, u64 factor, char *buf, size_t size)
{
	char fraction[24];
	u64 rest = (u64)(value % factor);
	int len = 0;

	for (u64 f = factor / 10; rest; f /= 10) {
		fraction[len++] = (char)('0' + rest / f);
		rest %= f;
	}
	fraction[len] = '\0';
	snprintf(buf, size, "%llu%s%s", (unsigned long long)(value / factor),
		 len ? "." : "", fraction);
}

static int format_scaled(const struct param_value *v, char *buf, size_t size)
{
	const struct scale *scale = &scales[v->desc->type];
	u128 value = v->num < 0 ? -(u128)v->num : (u128)v->num;
	char best[64] = "", try[64];

	value *= scale->divisor;
	for (const struct unit *u = scale->units; u->name; u++) {
		char number[48];

		if (value % u->factor && !scale->fractions)
			continue;
		format_decimal(value, u->factor, number, sizeof(number));
		snprintf(try, sizeof(try), "%s%s%s", v->num < 0 ? "-" : "",
			 number, u->name);
		if (!*best || strlen(try) < strlen(best))
			strcpy(best, try);
		if (v->desc->type == PARAM_PPM)	/* "1" reads as 1%, not all */
			break;
	}
	return snprintf(buf, size, "%s", best);
}

int param_format(const struct param_value *v, char *buf, size_t size)
{
	if (!v->set)
		return snprintf(buf, size, "%s", "");
	switch (v->desc->type) {
	case PARAM_BOOL:
		return snprintf(buf, size, "%s", v->num ? "on" : "off");
	case PARAM_ENUM:
		return snprintf(buf, size, "%s", v->desc->choices[v->num]);
	case PARAM_STRING:
	case PARAM_TIMELIST:
		return snprintf(buf, size, "%s", v->text);
	default:
		return format_scaled(v, buf, size);
	}
}
