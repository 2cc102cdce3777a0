/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_PARAM_H
#define SIM_PARAM_H
/*
 * Parameters: descriptors that any room can declare, typed values with units,
 * and a set of values that is complete (all defaults filled in) and hashable.
 *
 * A descriptor table is a static const array that ends in a NULL key. Every
 * user-visible key of the program (vmapsim-job(5)) is one line in such a
 * table; parsing, help, `list params`, man-page check and shell completion are
 * all fed from it. Machine costs are parameters too ("cost.*", "latency.*").
 *
 * Values: integers are in the base unit of their type: ps, bytes, pages,
 * millionths. Text values are owned by the set. No floating point.
 * Names of keys carry no unit, values do ("12ns", "32M", "57344 pages").
 */
#include <stdio.h>

#include "sim/types.h"

enum param_type {
	PARAM_INT,	/* plain integer: 8, 1e6 */
	PARAM_BOOL,	/* on|off, yes|no; 1 or 0 */
	PARAM_ENUM,	/* one of choices[]; its index */
	PARAM_TIME,	/* ps ns us ms s, unit needed; in ps */
	PARAM_BYTES,	/* K M G (binary) or plain bytes; in bytes */
	PARAM_PAGES,	/* "57344 pages", or bytes "224M"; in 4 KiB pages */
	PARAM_PPM,	/* "1%" or "0.01" (a bare 1 is 100%); in millionths */
	PARAM_STRING,	/* any text without newline */
	PARAM_TIMELIST,	/* "8us,5us"; kept as text, checked */
};

#define PARAM_NR_CHOICES_MAX 24

struct param_desc {
	const char *key;	/* "pair.pages"; NULL ends a table */
	enum param_type type;
	const char *def;	/* default in the user's spelling; NULL: must
				 * be given or is filled in by its owner */
	s64 min, max;		/* legal range in the base unit; both 0: any
				 * that is not negative */
	const char *choices[PARAM_NR_CHOICES_MAX];	/* PARAM_ENUM only */
	const char *help;	/* one line, no full stop */
	const char *source;	/* kernel version, paper, message; or NULL */
};

struct param_value {
	const struct param_desc *desc;
	s64 num;		/* all types but the texts */
	char *text;		/* PARAM_STRING, PARAM_TIMELIST: owned */
	bool set;		/* has a value; false only without a default */
	bool given;		/* by the user, not the default */
};

struct param_set {
	struct param_value *v;	/* sorted by key */
	size_t nr;
};

/* What was wrong with a value, for a message of one line. */
struct param_error {
	size_t col;		/* 0-based offset in the text */
	char found[64];		/* quoted where it is text of the user's */
	char expected[160];
	char nearest[64];	/* nearest legal name, or "" */
};

/* "found X, expected Y; nearest Z", one line without newline; as snprintf. */
int param_error_format(const struct param_error *err, char *buf, size_t size);

/*
 * Parse text as a value of desc. out is overwritten, out->text is new and the
 * caller's; blanks around the value are skipped. 0, -ENOMEM, or with *err
 * filled in -EINVAL (shape, unit) or -ERANGE. A bare number for a time is
 * -EINVAL (a unit is expected).
 */
int param_parse(const struct param_desc *desc, const char *text,
		struct param_value *out, struct param_error *err);
/*
 * The shortest spelling that parses to the same value ("1.5us", "224M", "1%"),
 * integers in plain digits, "" without a value; returns as snprintf.
 */
int param_format(const struct param_value *v, char *buf, size_t size);
/*
 * The times of a PARAM_TIMELIST's text, in ps: at most nr_max go into ps[];
 * returns how many there are, -EINVAL for a text that is no such list.
 */
ssize_t param_times(const char *text, u64 *ps, size_t nr_max);

/*
 * A set with the defaults of all tables (NULL tables are skipped); -ENOMEM,
 * -EEXIST for a double key, -EINVAL for a default that its own descriptor
 * refuses. Nothing is left to free after an error.
 */
int param_set_init(struct param_set *s, const struct param_desc *const *tables,
		   size_t nr_tables);
int param_set_copy(struct param_set *dst, const struct param_set *src);
void param_set_free(struct param_set *s);
/* -ENOENT for an unknown key (err->nearest filled in), else as param_parse. */
int param_set_text(struct param_set *s, const char *key, const char *text,
		   struct param_error *err);
/* As param_set_text, but as a default: no effect on a key given by the user. */
int param_set_default(struct param_set *s, const char *key, const char *text,
		      struct param_error *err);
const struct param_value *param_find(const struct param_set *s,
				     const char *key);
/*
 * Look-ups for code that declared the key itself: an unknown key, or one of
 * another kind, aborts. Without a value: 0, "".
 */
s64 param_num(const struct param_set *s, const char *key);
const char *param_text(const struct param_set *s, const char *key);
const char *param_choice(const struct param_set *s, const char *key);
/*
 * "key=value\n" for all keys in order: what a run's hash is made of. 0 or -EIO.
 */
int param_set_canonical(const struct param_set *s, FILE *out);
/*
 * Nearest of nr names: the shortest that text is the beginning of, else the
 * one with the fewest edits if these are at most max(2, length / 3), else the
 * first that text is a part of; NULL when none is near. Case does not count.
 */
const char *nearest_name(const char *text, const char *const *names, size_t nr);

#endif
