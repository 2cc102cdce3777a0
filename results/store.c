/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening, making and checking a database; errors and transactions. */
#include "results/store.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/embed.h"
#include "results/migrate.h"
#include "results/store_int.h"

#define BUSY_MS	10000

const char *store_error(const struct store *s)
{
	return s->error;
}

const char *store_path(const struct store *s)
{
	return s->path;
}

sqlite3 *store_db(struct store *s)
{
	return s->db;
}

int store_failf(struct store *s, int code, const char *format, ...)
{
	va_list ap;
	int n;

	n = snprintf(s->error, sizeof(s->error), "%s: ", s->path);
	if (n < 0 || (size_t)n >= sizeof(s->error))
		n = 0;
	va_start(ap, format);
	vsnprintf(s->error + n, sizeof(s->error) - (size_t)n, format, ap);
	va_end(ap);
	s->error[strcspn(s->error, "\n")] = '\0';
	return code;
}

/*
 * What kept a database from being opened. SQLite tries a second time without
 * writing, and tells the error of that: of a new file that it is not there.
 */
static int open_errno(const struct store *s)
{
	int os = sqlite3_system_errno(s->db);
	char *folder = os == ENOENT ? strdup(s->path) : NULL;
	char *slash = folder ? strrchr(folder, '/') : NULL;

	if (slash)
		slash[slash == folder] = '\0';
	if (folder && access(slash ? folder : ".", W_OK))
		os = errno;
	free(folder);
	return os ? os : EIO;
}

int store_fail(struct store *s)
{
	int os;

	switch (sqlite3_errcode(s->db) & 0xff) {
	case SQLITE_NOTADB:
		return store_failf(s, -EMEDIUMTYPE,
				   "not a database of vmapsim");
	case SQLITE_CORRUPT:
		return store_failf(s, -EUCLEAN, "damaged database: %s",
				   sqlite3_errmsg(s->db));
	case SQLITE_FULL:
		return store_failf(s, -ENOSPC, "disk full");
	case SQLITE_READONLY:
		return store_failf(s, -EROFS, "not writable");
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return store_failf(s, -EBUSY, "locked by another process");
	case SQLITE_NOMEM:
		return store_failf(s, -ENOMEM, "out of memory");
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
	case SQLITE_IOERR:
		os = open_errno(s);
		return store_failf(s, -os, "%s: %s", sqlite3_errmsg(s->db),
				   strerror(os));
	case SQLITE_ERROR:	/* "no such table": not the schema it claims */
	case SQLITE_MISMATCH:
		return store_failf(s, -EUCLEAN, "%s", sqlite3_errmsg(s->db));
	default:
		return store_failf(s, -EINVAL, "%s", sqlite3_errmsg(s->db));
	}
}

int store_exec(struct store *s, const char *sql)
{
	if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return store_fail(s);
	return 0;
}

int store_int(struct store *s, const char *sql, s64 *value)
{
	sqlite3_stmt *st;
	int rc;

	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		return store_fail(s);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		*value = sqlite3_column_int64(st, 0);
	if (sqlite3_finalize(st) != SQLITE_OK)
		return store_fail(s);
	return rc == SQLITE_ROW ? 0 : -ENODATA;
}

/* In a batch a change is a savepoint, so that a failed one leaves no rows. */
int store_enter(struct store *s)
{
	return store_exec(s, s->in_batch ? "SAVEPOINT change"
					 : "BEGIN IMMEDIATE");
}

int store_leave(struct store *s, int rc)
{
	if (rc >= 0) {
		int end = store_exec(s, s->in_batch ? "RELEASE change"
						    : "COMMIT");

		if (end)
			rc = end;
	}
	if (rc >= 0)
		return rc;
	if (s->in_batch && !s->batch_error)
		s->batch_error = rc;
	/* A full disk ends the whole transaction by itself. */
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, s->in_batch
			     ? "ROLLBACK TO change; RELEASE change"
			     : "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

int store_begin(struct store *s)
{
	int rc = store_exec(s, "BEGIN IMMEDIATE");

	if (!rc) {
		s->in_batch = true;
		s->batch_error = 0;
	}
	return rc;
}

int store_commit(struct store *s)
{
	int rc = s->batch_error;

	s->in_batch = false;
	s->batch_error = 0;
	if (!rc)
		rc = store_exec(s, "COMMIT");
	if (rc && !sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

/* ":memory:", "" and "file:..." are files here, as any other name. */
char *store_file_name(const char *path)
{
	size_t size = strlen(path) + 3;
	char *name = malloc(size);

	if (name)
		snprintf(name, size, "%s%s", path[0] == '/' ? "" : "./", path);
	return name;
}

static int make_parents(struct store *s)
{
	char *folder = strdup(s->path), *slash = folder;
	int rc = 0;

	if (!folder)
		return store_failf(s, -ENOMEM, "out of memory");
	while (!rc && (slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(folder, 0777) && errno != EEXIST)
			rc = store_failf(s, -errno, "cannot make folder %s: %s",
					 folder, strerror(errno));
		*slash = '/';
	}
	free(folder);
	return rc;
}

static int connect_to(struct store *s, int flags)
{
	char *name = store_file_name(s->path);
	int rc;

	if (!name)
		return store_failf(s, -ENOMEM, "out of memory");
	sqlite3_close(s->db);
	rc = sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_EXRESCODE, NULL);
	free(name);
	if (!s->db)
		return store_failf(s, -ENOMEM, "out of memory");
	if (rc != SQLITE_OK)
		return store_fail(s);
	sqlite3_busy_timeout(s->db, BUSY_MS);
	return store_exec(s, "PRAGMA foreign_keys = ON;"
			     "PRAGMA temp_store = MEMORY");
}

enum identity { EMPTY, OLDER, OURS };

/* What the file is, or an error when it is not ours to use. */
static int identify(struct store *s)
{
	s64 application, version, objects;
	int rc;

	rc = store_int(s, "SELECT count(*) FROM sqlite_master", &objects);
	if (!rc)
		rc = store_int(s, "PRAGMA application_id", &application);
	if (!rc)
		rc = store_int(s, "PRAGMA user_version", &version);
	if (rc)
		return rc;
	if (!application && !version && !objects)
		return EMPTY;
	if (application != STORE_APPLICATION_ID)
		return store_failf(s, -EMEDIUMTYPE, "a database of another "
				   "program, expected one of vmapsim");
	if (version > STORE_USER_VERSION)
		return store_failf(s, -EPROTONOSUPPORT, "schema version %lld "
				   "of a newer vmapsim, expected at most %d",
				   (long long)version, STORE_USER_VERSION);
	return version < STORE_USER_VERSION ? OLDER : OURS;
}

static int create(struct store *s)
{
	int rc = store_exec(s, "BEGIN IMMEDIATE");

	if (rc)
		return rc;
	rc = identify(s);	/* another process may have been faster */
	if (rc == EMPTY)
		rc = store_exec(s, schema_sql);
	if (rc >= 0)
		rc = store_exec(s, "COMMIT");
	if (rc && !sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

/* Changes a page, so that a sweep of hours does not end in "not writable". */
static int probe(struct store *s)
{
	char sql[96];

	snprintf(sql, sizeof(sql), "BEGIN IMMEDIATE; PRAGMA user_version = %d;"
		 "COMMIT", STORE_USER_VERSION);
	return store_exec(s, sql);
}

static int open_write(struct store *s, enum store_mode mode)
{
	struct stat st;
	int rc = make_parents(s);

	if (rc)
		return rc;
	if (!stat(s->path, &st) && S_ISDIR(st.st_mode))
		return store_failf(s, -EISDIR, "a folder, expected a database");
	rc = connect_to(s, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	if (!rc && mode == STORE_SHARD)
		rc = store_exec(s, "PRAGMA locking_mode = EXCLUSIVE;"
				   "PRAGMA synchronous = OFF");
	if (!rc)
		rc = identify(s);
	if (rc == EMPTY)
		return create(s);
	if (rc == OLDER && migrate(s->db, migrations, STORE_USER_VERSION))
		return store_fail(s);
	return rc < 0 ? rc : probe(s);
}

/* Once through a writable connection: rolls back what a killed writer left. */
static int recover(struct store *s)
{
	int rc = connect_to(s, SQLITE_OPEN_READWRITE);

	if (!rc)
		rc = identify(s);
	if (rc == OLDER && migrate(s->db, migrations, STORE_USER_VERSION))
		return store_fail(s);
	return rc < 0 ? rc : 0;
}

static int open_read(struct store *s)
{
	struct stat st;
	int rc;

	if (stat(s->path, &st))
		return store_failf(s, -errno, "%s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return store_failf(s, -EISDIR, "a folder, expected a database");
	rc = connect_to(s, SQLITE_OPEN_READONLY);
	if (!rc)
		rc = identify(s);
	if (rc == OLDER || rc == -EROFS) {
		rc = recover(s);
		if (!rc)
			rc = connect_to(s, SQLITE_OPEN_READONLY);
		if (!rc)
			rc = identify(s);
	}
	if (rc == EMPTY)
		return store_failf(s, -EMEDIUMTYPE,
				   "empty, expected a database of vmapsim");
	return rc < 0 ? rc : 0;
}

int store_open(struct store **out, const char *path, enum store_mode mode,
	       char *err, size_t err_size)
{
	struct store *s = calloc(1, sizeof(*s));
	int rc;

	*out = NULL;
	if (s)
		s->path = strdup(path);
	if (!s || !s->path) {
		free(s);
		if (err_size)
			snprintf(err, err_size, "%s: out of memory", path);
		return -ENOMEM;
	}
	rc = mode == STORE_READ ? open_read(s) : open_write(s, mode);
	if (rc) {
		if (err_size)
			snprintf(err, err_size, "%s", s->error);
		store_close(s);
		return rc;
	}
	*out = s;
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	sqlite3_close(s->db);
	free(s->path);
	free(s);
}
