/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read-only SQL and the named queries. */
#include "results/query.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "results/embed.h"

const char *query_text(const char *name)
{
	const struct embedded_query *q;

	for (q = embedded_queries; q->name; q++)
		if (!strcmp(q->name, name))
			return q->text;
	return NULL;
}

const char *query_name(size_t i)
{
	size_t nr = 0;

	while (embedded_queries[nr].name)
		nr++;
	return i < nr ? embedded_queries[i].name : NULL;
}

int query_sentence(size_t i, char *buf, size_t size)
{
	const char *text = embedded_queries[i].text;

	text += strspn(text, "- ");
	return snprintf(buf, size, "%.*s", (int)strcspn(text, "\n"), text);
}

/* Pragmas that only tell something, with an argument or without. */
static bool pragma_reads(const char *name, const char *argument)
{
	static const char *const with_argument[] = {
		"table_info", "table_xinfo", "table_list", "index_list",
		"index_info", "index_xinfo", "foreign_key_list",
		"foreign_key_check", "integrity_check", "quick_check",
	};
	static const char *const alone[] = {
		"user_version", "application_id", "schema_version",
		"page_count", "page_size", "freelist_count", "encoding",
		"database_list", "compile_options", "function_list",
		"pragma_list", "collation_list", "module_list",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(with_argument); i++)
		if (!strcasecmp(name, with_argument[i]))
			return true;
	for (i = 0; !argument && i < ARRAY_SIZE(alone); i++)
		if (!strcasecmp(name, alone[i]))
			return true;
	return false;
}

static const char *action_name(int action)
{
	static const struct {
		int action;
		const char *name;
	} names[] = {
		{ SQLITE_INSERT, "INSERT" }, { SQLITE_UPDATE, "UPDATE" },
		{ SQLITE_DELETE, "DELETE" }, { SQLITE_ATTACH, "ATTACH" },
		{ SQLITE_DETACH, "DETACH" }, { SQLITE_ANALYZE, "ANALYZE" },
		{ SQLITE_REINDEX, "REINDEX" },
		{ SQLITE_ALTER_TABLE, "ALTER TABLE" },
		{ SQLITE_TRANSACTION, "a transaction" },
		{ SQLITE_SAVEPOINT, "a savepoint" },
		{ SQLITE_CREATE_TABLE, "CREATE TABLE" },
		{ SQLITE_CREATE_TEMP_TABLE, "CREATE TABLE" },
		{ SQLITE_CREATE_INDEX, "CREATE INDEX" },
		{ SQLITE_CREATE_VIEW, "CREATE VIEW" },
		{ SQLITE_CREATE_TEMP_VIEW, "CREATE VIEW" },
		{ SQLITE_CREATE_TRIGGER, "CREATE TRIGGER" },
		{ SQLITE_CREATE_TEMP_TRIGGER, "CREATE TRIGGER" },
		{ SQLITE_CREATE_VTABLE, "CREATE VIRTUAL TABLE" },
		{ SQLITE_DROP_TABLE, "DROP TABLE" },
		{ SQLITE_DROP_INDEX, "DROP INDEX" },
		{ SQLITE_DROP_VIEW, "DROP VIEW" },
		{ SQLITE_DROP_TRIGGER, "DROP TRIGGER" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].action == action)
			return names[i].name;
	return "a change";
}

struct guard {
	char refused[96];	/* "" so far nothing */
};

/* sqlite3_set_authorizer's callback: what is not known to read is refused. */
static int authorize(void *arg, int action, const char *a, const char *b,
		     const char *database, const char *trigger)
{
	struct guard *g = arg;

	(void)database;
	(void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		if (b && strcasecmp(b, "load_extension"))
			return SQLITE_OK;
		snprintf(g->refused, sizeof(g->refused), "load_extension()");
		return SQLITE_DENY;
	case SQLITE_PRAGMA:
		if (pragma_reads(a, b))
			return SQLITE_OK;
		snprintf(g->refused, sizeof(g->refused), "PRAGMA %.60s", a);
		return SQLITE_DENY;
	default:
		/* The first is what the user wrote: INSERT, not its parts. */
		if (!g->refused[0])
			snprintf(g->refused, sizeof(g->refused), "%s",
				 action_name(action));
		return SQLITE_DENY;
	}
}

struct text_position {
	const char *name, *sql;
};

/* "name:line:col: ..." for an offset in the text; returns code. */
static int fail_at(const struct text_position *where, size_t offset, int code,
		   char *err, size_t err_size, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

static int fail_at(const struct text_position *where, size_t offset, int code,
		   char *err, size_t err_size, const char *format, ...)
{
	size_t i, line = 1, col = 1;
	va_list ap;
	int n;

	for (i = 0; i < offset && where->sql[i]; i++) {
		col++;
		if (where->sql[i] == '\n') {
			line++;
			col = 1;
		}
	}
	n = snprintf(err, err_size, "%s:%zu:%zu: ", where->name, line, col);
	if (n < 0 || (size_t)n >= err_size)
		return code;
	va_start(ap, format);
	vsnprintf(err + n, err_size - (size_t)n, format, ap);
	va_end(ap);
	err[strcspn(err, "\n")] = '\0';
	return code;
}

/* One statement, compiled under the guard; nothing may follow it. */
static int compile(struct store *s, const struct text_position *where,
		   struct guard *g, sqlite3_stmt **st, char *err,
		   size_t err_size)
{
	sqlite3 *db = store_db(s);
	sqlite3_stmt *second = NULL;
	const char *rest;
	int offset;

	if (sqlite3_prepare_v2(db, where->sql, -1, st, &rest) != SQLITE_OK) {
		offset = sqlite3_error_offset(db);
		if (g->refused[0])
			return fail_at(where, 0, -EPERM, err, err_size,
				"%s is refused, expected a query that only "
				"reads", g->refused);
		return fail_at(where, offset < 0 ? 0 : (size_t)offset, -EINVAL,
			       err, err_size, "%s", sqlite3_errmsg(db));
	}
	if (!*st)
		return fail_at(where, 0, -EINVAL, err, err_size, "nothing to "
			       "run, expected an SQL query");
	if (!sqlite3_stmt_readonly(*st))
		return fail_at(where, 0, -EPERM, err, err_size, "a write is "
			       "refused, expected a query that only reads");
	if (sqlite3_prepare_v2(db, rest, -1, &second, NULL) != SQLITE_OK ||
	    second) {
		sqlite3_finalize(second);
		return fail_at(where, (size_t)(rest - where->sql), -EINVAL, err,
			       err_size, "a second statement, expected one");
	}
	return 0;
}

static enum table_unit unit_of(const char *name)
{
	const char *ns = strstr(name, "_ns");

	if (ns && (!ns[3] || ns[3] == '_'))
		return TABLE_NS;
	return strstr(name, "_pct") ? TABLE_PCT : TABLE_PLAIN;
}

static void put_cell(struct table *t, sqlite3_stmt *st, int col)
{
	switch (sqlite3_column_type(st, col)) {
	case SQLITE_NULL:
		table_text(t, NULL);
		break;
	case SQLITE_INTEGER:
		table_int(t, sqlite3_column_int64(st, col));
		break;
	case SQLITE_FLOAT:
		table_real(t, sqlite3_column_double(st, col));
		break;
	case SQLITE_BLOB:
		table_text(t, "(binary)");
		break;
	default:
		table_text(t, (const char *)sqlite3_column_text(st, col));
	}
}

static int write_rows(struct store *s, sqlite3_stmt *st, FILE *out,
		      enum table_format format, char *err, size_t err_size)
{
	int i, rc, nr = sqlite3_column_count(st);
	struct table_column *column = calloc((size_t)nr + 1, sizeof(*column));
	struct table *t = NULL;

	for (i = 0; column && i < nr; i++) {
		column[i].name = sqlite3_column_name(st, i);
		column[i].unit = unit_of(column[i].name);
	}
	if (column)
		t = table_begin(out, format, column, (size_t)nr);
	if (!t) {
		free(column);
		return -ENOMEM;
	}
	while ((rc = sqlite3_step(st)) == SQLITE_ROW)
		for (i = 0; i < nr; i++)
			put_cell(t, st, i);
	i = table_end(t);
	free(column);
	if (rc == SQLITE_DONE) {
		if (i)
			snprintf(err, err_size, "%s", strerror(-i));
		return i;
	}
	snprintf(err, err_size, "%s: %s", store_path(s),
		 sqlite3_errmsg(store_db(s)));
	return rc == SQLITE_CORRUPT ? -EUCLEAN : rc == SQLITE_NOMEM ? -ENOMEM
		: rc == SQLITE_BUSY ? -EBUSY : -EINVAL;
}

int query_run(struct store *s, const char *name, const char *sql, FILE *out,
	      enum table_format format, char *err, size_t err_size)
{
	const struct text_position where = { name, sql };
	struct guard guard = { "" };
	sqlite3 *db = store_db(s);
	sqlite3_stmt *st = NULL;
	int rc;

	sqlite3_exec(db, "PRAGMA query_only = ON", NULL, NULL, NULL);
	sqlite3_set_authorizer(db, authorize, &guard);
	rc = compile(s, &where, &guard, &st, err, err_size);
	if (!rc)
		rc = write_rows(s, st, out, format, err, err_size);
	sqlite3_finalize(st);
	sqlite3_set_authorizer(db, NULL, NULL);
	sqlite3_exec(db, "PRAGMA query_only = OFF", NULL, NULL, NULL);
	return rc;
}
