/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name that a mistyped one was meant to be. */
#include <ctype.h>
#include <string.h>

#include "sim/param.h"

#define NAME_LEN_MAX 63		/* longer names have no near one */

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

static int lower(char c)
{
	return tolower((unsigned char)c);
}

/*
 * Damerau and Levenshtein's distance in its restricted form (a pair that
 * changed places is not edited again), by rows; case does not count.
 */
static size_t distance(const char *a, size_t la, const char *b, size_t lb)
{
	size_t row[3][NAME_LEN_MAX + 1];
	size_t *before = row[0], *last = row[1], *now = row[2], *spare;

	for (size_t j = 0; j <= lb; j++)
		last[j] = j;
	for (size_t i = 1; i <= la; i++) {
		now[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			size_t edit = lower(a[i - 1]) != lower(b[j - 1]);

			now[j] = min3(last[j] + 1, now[j - 1] + 1,
				      last[j - 1] + edit);
			if (i > 1 && j > 1 &&
			    lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]) &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[lb];
}

static bool is_prefix(const char *text, size_t len, const char *name)
{
	for (size_t i = 0; i < len; i++)
		if (!name[i] || lower(text[i]) != lower(name[i]))
			return false;
	return true;
}

static bool contains(const char *name, const char *text, size_t len)
{
	for (; *name; name++)
		if (is_prefix(text, len, name))
			return true;
	return false;
}

const char *nearest_name(const char *text, const char *const *names, size_t nr)
{
	size_t len = strlen(text), limit, best = ~(size_t)0;
	const char *found = NULL;

	if (!len || len > NAME_LEN_MAX)
		return NULL;
	/* "pai" is "pair.pages" cut short, not "cpus" misspelt; shortest wins */
	for (size_t i = 0; i < nr; i++) {
		if (is_prefix(text, len, names[i]) && strlen(names[i]) < best) {
			best = strlen(names[i]);
			found = names[i];
		}
	}
	if (found)
		return found;
	limit = len / 3 > 2 ? len / 3 : 2;
	if (limit >= len)	/* else any short name is near */
		limit = len - 1;
	for (size_t i = 0; i < nr; i++) {
		size_t d, other = strlen(names[i]);

		if (other > NAME_LEN_MAX)
			continue;
		d = distance(text, len, names[i], other);
		if (d <= limit && d < best) {
			best = d;
			found = names[i];
		}
	}
	/* "threads" for "nr_threads"; less than four letters say little */
	for (size_t i = 0; !found && len >= 4 && i < nr; i++)
		if (contains(names[i], text, len))
			found = names[i];
	return found;
}
