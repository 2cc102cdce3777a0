/* SPDX-License-Identifier: GPL-3.0-or-later */
/* .job files: text to assignments, each with the place it stands at. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"

struct reader {
	struct job *job;
	struct scenario_error *err;
	const char *file;
	size_t line;
	struct job_section *now;	/* NULL before the first header */
};

__attribute__((format(printf, 3, 4)))
static int refuse(struct reader *r, size_t col, const char *fmt, ...)
{
	va_list ap;

	r->err->file = r->file;
	r->err->line = r->line;
	r->err->col = col + 1;
	va_start(ap, fmt);
	vsnprintf(r->err->text, sizeof(r->err->text), fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static size_t skip_blanks(const char *line, size_t at, size_t len)
{
	while (at < len && is_blank(line[at]))
		at++;
	return at;
}

static bool is_key_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Room for one more element of a growing array; NULL: no memory. */
static void *grow(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))	/* grows when nr is 0 or a power of two */
		return array;
	return realloc(array, (nr ? 2 * nr : 1) * size);
}

static int check_bytes(struct reader *r, const char *line, size_t len)
{
	size_t start = skip_blanks(line, 0, len);
	bool comment = start < len && line[start] == '#';

	if (len > JOB_LINE_MAX)
		return refuse(r, JOB_LINE_MAX,
			      "found a line of %zu bytes, expected at most %u",
			      len, JOB_LINE_MAX);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)line[i];

		if (!c)
			return refuse(r, i, "found a NUL byte, expected text");
		if (comment || is_blank((char)c) || (c >= 0x20 && c < 0x7f))
			continue;
		if (r->line == 1 && len >= 3 && !memcmp(line, "\xef\xbb\xbf", 3))
			return refuse(r, i, "found a byte order mark, "
				      "expected plain ASCII");
		return refuse(r, i, "found byte 0x%02x, expected printable "
			      "ASCII (comments may have others)", c);
	}
	return 0;
}

static struct job_section *find_section(struct job *j, const char *name,
					size_t len)
{
	for (size_t i = 0; i < j->nr; i++)
		if (strlen(j->section[i].name) == len &&
		    !memcmp(j->section[i].name, name, len))
			return &j->section[i];
	return NULL;
}

static struct job_section *add_section(struct job *j, const char *name,
				       size_t len, size_t line)
{
	struct job_section *s = grow(j->section, j->nr, sizeof(*s));

	if (!s)
		return NULL;
	j->section = s;
	s += j->nr;
	*s = (struct job_section) { .name = strndup(name, len), .line = line };
	if (!s->name)
		return NULL;
	j->nr++;
	return s;
}

static int read_header(struct reader *r, const char *line, size_t at,
		       size_t len)
{
	const char *end = memchr(line + at, ']', len - at);
	size_t name = skip_blanks(line, at + 1, len), after, name_len;
	struct job_section *s;

	if (!end)
		return refuse(r, len, "found \"%.*s\" without an end, "
			      "expected ] after the section's name",
			      (int)(len - at > 40 ? 40 : len - at), line + at);
	name_len = (size_t)(end - line) - name;
	while (name_len && is_blank(line[name + name_len - 1]))
		name_len--;
	if (!name_len || name > (size_t)(end - line))
		return refuse(r, at, "found [], expected a section's name");
	after = skip_blanks(line, (size_t)(end - line) + 1, len);
	if (after < len)
		return refuse(r, after, "found \"%.40s\" after a section's "
			      "name, expected the end of the line",
			      line + after);
	s = find_section(r->job, line + name, name_len);
	if (s && s->line)
		return refuse(r, at, "found section [%s] again, expected one "
			      "of each name; the first is in line %zu",
			      s->name, s->line);
	if (s)			/* [defaults] is there from the start */
		s->line = r->line;
	else
		s = add_section(r->job, line + name, name_len, r->line);
	r->now = s;
	return s ? 0 : -ENOMEM;
}

/* Where the parts of `key = value` stand in a line. */
struct parts {
	size_t key, key_len, value, value_len;
};

static int split(struct reader *r, const char *line, size_t at, size_t len,
		 struct parts *p)
{
	const char *eq = memchr(line + at, '=', len - at);
	size_t end;

	if (!eq)
		return refuse(r, at, "found \"%.40s\", expected key = value",
			      line + at);
	p->key = at;
	end = (size_t)(eq - line);
	while (end > at && is_blank(line[end - 1]))
		end--;
	p->key_len = end - at;
	if (!p->key_len)
		return refuse(r, at, "found = without a key, expected "
			      "key = value");
	for (size_t i = at; i < end; i++)
		if (!is_key_char(line[i]))
			return refuse(r, i, "found \"%c\" in a key, expected "
				      "letters, digits, . _ and -", line[i]);
	p->value = skip_blanks(line, (size_t)(eq - line) + 1, len);
	p->value_len = len - p->value;
	if (!p->value_len)
		return refuse(r, p->value, "found no value for %.*s, expected "
			      "one; leave the line out for the default",
			      (int)p->key_len, line + p->key);
	for (size_t i = p->value; i < len; i++)
		if (line[i] == '#' && is_blank(line[i - 1]))
			return refuse(r, i, "found a comment behind a value, "
				      "expected it on a line of its own");
	return 0;
}

static int add_assignment(struct reader *r, const char *line,
			  const struct parts *p)
{
	struct job_section *s = r->now;
	struct assignment *a = grow(s->a, s->nr, sizeof(*a));

	if (!a)
		return -ENOMEM;
	s->a = a;
	a += s->nr;
	*a = (struct assignment) {
		.key = strndup(line + p->key, p->key_len),
		.value = strndup(line + p->value, p->value_len),
		.file = r->job->file,
		.line = r->line,
		.key_col = p->key + 1,
		.value_col = p->value + 1,
	};
	s->nr++;
	return a->key && a->value ? 0 : -ENOMEM;
}

static int read_assignment(struct reader *r, const char *line, size_t at,
			   size_t len)
{
	struct parts p = { 0 };
	int rc = split(r, line, at, len, &p);

	if (rc)
		return rc;
	if (!r->now)
		return refuse(r, at, "found key \"%.*s\" outside a section, "
			      "expected [defaults] or another section first",
			      (int)p.key_len, line + p.key);
	for (size_t i = 0; i < r->now->nr; i++) {
		const struct assignment *a = &r->now->a[i];

		if (strlen(a->key) == p.key_len &&
		    !memcmp(a->key, line + p.key, p.key_len))
			return refuse(r, at, "found key \"%s\" again in [%s], "
				      "expected it once; the first is in line "
				      "%zu", a->key, r->now->name, a->line);
	}
	return add_assignment(r, line, &p);
}

static int read_line(struct reader *r, const char *text, size_t len)
{
	char line[JOB_LINE_MAX + 1];
	size_t at;
	int rc;

	if (len && text[len - 1] == '\r')
		len--;
	rc = check_bytes(r, text, len);
	if (rc)
		return rc;
	while (len && is_blank(text[len - 1]))
		len--;
	memcpy(line, text, len);
	line[len] = '\0';
	at = skip_blanks(line, 0, len);
	if (at == len || line[at] == '#')
		return 0;
	if (line[at] == '[')
		return read_header(r, line, at, len);
	return read_assignment(r, line, at, len);
}

int job_parse(const char *text, size_t len, const char *file, struct job *j,
	      struct scenario_error *err)
{
	struct reader r = { .job = j, .err = err, .file = file };
	size_t at = 0;
	int rc = 0;

	memset(err, 0, sizeof(*err));
	*j = (struct job) { .file = strdup(file) };
	if (!j->file || !add_section(j, "defaults", 8, 0))
		rc = -ENOMEM;
	while (!rc && at < len) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - text) - at : len - at;

		r.line++;
		rc = read_line(&r, text + at, n);
		at += n + 1;
	}
	if (rc)
		job_free(j);
	return rc;
}

static int file_error(struct scenario_error *err, const char *file, int rc,
		      const char *why)
{
	*err = (struct scenario_error) { .file = file };
	snprintf(err->text, sizeof(err->text), "%s", why);
	return rc;
}

int job_read(const char *file, struct job *j, struct scenario_error *err)
{
	FILE *f = strcmp(file, "-") ? fopen(file, "re") : stdin;
	char *text;
	size_t len;
	int rc;

	if (!f)
		return file_error(err, file, -errno, strerror(errno));
	text = malloc(JOB_SIZE_MAX + 1);
	if (!text) {
		rc = -ENOMEM;
		goto out;
	}
	errno = 0;
	len = fread(text, 1, JOB_SIZE_MAX + 1, f);
	if (ferror(f))
		rc = file_error(err, file, errno ? -errno : -EIO,
				strerror(errno ? errno : EIO));
	else if (len > JOB_SIZE_MAX)
		rc = file_error(err, file, -EINVAL, "found more than 1 MiB, "
				"expected a .job file");
	else
		rc = job_parse(text, len, file, j, err);
out:
	free(text);
	if (f != stdin)
		fclose(f);
	return rc;
}

void job_free(struct job *j)
{
	for (size_t i = 0; i < j->nr; i++) {
		struct job_section *s = &j->section[i];

		for (size_t k = 0; k < s->nr; k++) {
			free(s->a[k].key);
			free(s->a[k].value);
		}
		free(s->a);
		free(s->name);
	}
	free(j->section);
	free(j->file);
	*j = (struct job) { 0 };
}

size_t job_nr_variants(const struct job *j)
{
	return j->nr > 1 ? j->nr - 1 : 1;
}

static const struct job_section *variant_section(const struct job *j,
						 size_t variant)
{
	return &j->section[j->nr > 1 ? variant + 1 : 0];
}

const char *job_variant_name(const struct job *j, size_t variant)
{
	return variant_section(j, variant)->name;
}

struct assignment *job_variant(const struct job *j, size_t variant,
			       const struct assignment *more, size_t nr_more,
			       size_t *nr)
{
	const struct job_section *d = &j->section[0];
	const struct job_section *s = variant_section(j, variant);
	size_t own = s == d ? 0 : s->nr;
	struct assignment *a = calloc(d->nr + own + nr_more + 1, sizeof(*a));

	if (!a)
		return NULL;
	if (d->nr)
		memcpy(a, d->a, d->nr * sizeof(*a));
	if (own)
		memcpy(a + d->nr, s->a, own * sizeof(*a));
	if (nr_more)
		memcpy(a + d->nr + own, more, nr_more * sizeof(*a));
	*nr = d->nr + own + nr_more;
	return a;
}
