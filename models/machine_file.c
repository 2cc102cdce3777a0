/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and writing .machine files. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "models/machine.h"

__attribute__((format(printf, 4, 5)))
static int refuse(struct machine_error *err, size_t line, size_t col,
		  const char *format, ...)
{
	va_list ap;

	err->line = line;
	err->col = col;
	va_start(ap, format);
	vsnprintf(err->text, sizeof(err->text), format, ap);
	va_end(ap);
	return -EINVAL;
}

static int no_memory(struct machine_error *err)
{
	refuse(err, 0, 0, "out of memory");
	return -ENOMEM;
}

static const struct param_desc *find_desc(const char *key)
{
	for (const struct param_desc *d = machine_params; d->key; d++)
		if (!strcmp(d->key, key))
			return d;
	return NULL;
}

static const char *nearest_key(const char *key)
{
	const struct param_desc *d = machine_params;
	const char *names[512];
	size_t nr = 0;

	for (; d->key && nr < ARRAY_SIZE(names); d++)
		names[nr++] = d->key;
	return nearest_name(key, names, nr);
}

static struct machine_line *find_line(const struct machine_file *f,
				      const char *key)
{
	for (size_t i = 0; i < f->nr; i++)
		if (!strcmp(f->line[i].key, key))
			return &f->line[i];
	return NULL;
}

const struct machine_line *machine_find(const struct machine_file *f,
					const char *key)
{
	return find_line(f, key);
}

static void free_line(struct machine_line *l)
{
	free(l->key);
	free(l->value);
	free(l->source);
}

/* Strings are copied; what is in *l before is not freed. */
static int fill_line(struct machine_line *l, const char *key,
		     const char *value, const char *source)
{
	*l = (struct machine_line){
		.key = strdup(key),
		.value = strdup(value),
		.source = strdup(source),
	};
	if (l->key && l->value && l->source)
		return 0;
	free_line(l);
	return -ENOMEM;
}

static int append_line(struct machine_file *f, const struct machine_line *l)
{
	struct machine_line *grown;

	grown = reallocarray(f->line, f->nr + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	f->line = grown;
	f->line[f->nr++] = *l;
	return 0;
}

static char *skip_blanks(char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

static char *trim_end(char *p)
{
	size_t len = strlen(p);

	while (len && isspace((unsigned char)p[len - 1]))
		p[--len] = '\0';
	return p;
}

static int check_key(const struct machine_file *f, const char *key, size_t line,
		     size_t col, struct machine_error *err)
{
	const struct machine_line *before = find_line(f, key);
	const char *near;

	if (!find_desc(key)) {
		near = nearest_key(key);
		return refuse(err, line, col, "found \"%.60s\", expected a key "
			      "of a machine%s%s", key,
			      near ? "; nearest: " : "", near ? near : "");
	}
	if (before)
		return refuse(err, line, col, "found \"%s\" again, expected it "
			      "once; it stands on line %zu already", key,
			      before->nr);
	return 0;
}

static int check_value(const char *key, const char *value, size_t line,
		       size_t col, struct machine_error *err)
{
	struct param_error what;
	struct param_value v;
	int ret = param_parse(find_desc(key), value, &v, &what);

	free(v.text);
	if (ret == -ENOMEM)
		return no_memory(err);
	if (!ret)
		return 0;
	err->line = line;
	err->col = col + what.col;
	param_error_format(&what, err->text, sizeof(err->text));
	return -EINVAL;
}

/* `key = value # source`; text is cut up. */
static int read_line(struct machine_file *f, char *text, size_t nr,
		     struct machine_error *err)
{
	char *key = skip_blanks(text), *equals, *value, *hash;
	struct machine_line l;
	size_t col;
	int ret;

	equals = strchr(key, '=');
	hash = strchr(key, '#');
	if (!equals || (hash && hash < equals))
		return refuse(err, nr, (size_t)(key - text) + 1,
			      "found \"%.40s\", expected key = value # source",
			      trim_end(key));
	*equals = '\0';
	ret = check_key(f, trim_end(key), nr, (size_t)(key - text) + 1, err);
	if (ret)
		return ret;
	value = skip_blanks(equals + 1);
	col = (size_t)(value - text) + 1;
	hash = strchr(value, '#');
	if (hash)
		*hash++ = '\0';
	ret = check_value(key, trim_end(value), nr, col, err);
	if (ret)
		return ret;
	if (hash)
		hash = trim_end(skip_blanks(hash));
	if (!hash || !*hash)
		return refuse(err, nr, col + strlen(value), "found no source "
			      "of this value, expected # and where it comes "
			      "from");
	if (fill_line(&l, key, value, hash))
		return no_memory(err);
	l.nr = nr;
	l.value_col = col;
	if (append_line(f, &l)) {
		free_line(&l);
		return no_memory(err);
	}
	return 0;
}

static int read_lines(FILE *in, struct machine_file *f,
		      struct machine_error *err)
{
	size_t size = 0, nr = 0, comment_size;
	FILE *comment = open_memstream(&f->comment, &comment_size);
	char *text = NULL;
	ssize_t len;
	int ret = 0;

	if (!comment)
		return no_memory(err);
	while (!ret && (len = getline(&text, &size, in)) >= 0) {
		char *start = skip_blanks(text);

		nr++;
		if (strlen(text) != (size_t)len)
			ret = refuse(err, nr, strlen(text) + 1,
				     "found a NUL byte, expected text");
		else if (*start == '#' && !f->nr)
			fprintf(comment, "%s\n", trim_end(start));
		else if (*start && *start != '#' && *start != '\n')
			ret = read_line(f, trim_end(text), nr, err);
	}
	if (!ret && ferror(in)) {
		ret = -errno;
		refuse(err, 0, 0, "%s", strerror(-ret));
	}
	free(text);
	if (fclose(comment) && !ret)
		ret = no_memory(err);
	return ret;
}

static int split_path(const char *path, struct machine_file *f)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = strlen(name);

	if (len > 8 && !strcmp(name + len - 8, ".machine"))
		len -= 8;
	f->name = strndup(name, len);
	f->dir = strndup(path, (size_t)(name - path));
	return f->name && f->dir ? 0 : -ENOMEM;
}

int machine_read(const char *path, struct machine_file *f,
		 struct machine_error *err)
{
	FILE *in;
	int ret;

	memset(f, 0, sizeof(*f));
	memset(err, 0, sizeof(*err));
	in = fopen(path, "r");
	if (!in) {
		ret = -errno;
		refuse(err, 0, 0, "%s", strerror(-ret));
		return ret;
	}
	ret = split_path(path, f) ? no_memory(err) : read_lines(in, f, err);
	fclose(in);
	if (ret)
		machine_free(f);
	return ret;
}

int machine_write(const struct machine_file *f, FILE *out)
{
	if (f->comment)
		fputs(f->comment, out);
	for (const struct param_desc *d = machine_params; d->key; d++) {
		const struct machine_line *l = find_line(f, d->key);

		if (l)
			fprintf(out, "%s = %s\t# %s\n", l->key, l->value,
				l->source);
	}
	return ferror(out) ? -EIO : 0;
}

int machine_set(struct machine_file *f, const char *key, const char *value,
		const char *source)
{
	const struct param_desc *d = find_desc(key);
	struct machine_line *old = find_line(f, key), l;
	struct param_error what;
	struct param_value v;
	int ret;

	if (!d)
		return -ENOENT;
	if (!*source || strchr(source, '\n') || strchr(value, '#'))
		return -EINVAL;
	ret = param_parse(d, value, &v, &what);
	free(v.text);
	if (ret)
		return ret;
	ret = fill_line(&l, key, value, source);
	if (ret)
		return ret;
	if (old) {
		free_line(old);
		*old = l;
		return 0;
	}
	ret = append_line(f, &l);
	if (ret)
		free_line(&l);
	return ret;
}

void machine_free(struct machine_file *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free_line(&f->line[i]);
	free(f->line);
	free(f->name);
	free(f->dir);
	free(f->comment);
	memset(f, 0, sizeof(*f));
}
