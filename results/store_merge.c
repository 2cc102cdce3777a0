/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging databases by key, and collecting the shards of workers. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/store_int.h"

static const char *const children[] = {
	"param", "metric", "lock_stat", "line_stat", "profile", "histogram",
};

/*
 * merge_plan: the source's runs to take, in their order. old_id is the run of
 * ours that makes way, NULL when the key is new.
 */
static const char plan_sql[] =
	"CREATE TEMP TABLE merge_plan AS"
	" SELECT s.id AS source_id, s.key AS source_key, m.id AS old_id"
	" FROM source.run s LEFT JOIN main.run m ON m.key = s.key"
	" WHERE m.id IS NULL OR (m.state <> 'done' AND s.state = 'done')"
	" ORDER BY s.id;"
	"INSERT OR IGNORE INTO main.campaign"
	" (uid, command, version, nr_points, created)"
	" SELECT uid, command, version, nr_points, created"
	" FROM source.campaign ORDER BY id;"
	"DELETE FROM main.run WHERE id IN (SELECT old_id FROM merge_plan)";

/* Plain columns of a table but the ids; generated ones are not listed. */
static int columns_of(struct store *s, const char *table, char **list)
{
	char *sql = sqlite3_mprintf("SELECT group_concat(name, ', ')"
		" FROM pragma_table_info(%Q)"
		" WHERE name NOT IN ('id', 'run_id', 'campaign_id')", table);
	sqlite3_stmt *st = NULL;
	int rc = 0;

	*list = NULL;
	if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		*list = sqlite3_mprintf("%s", sqlite3_column_text(st, 0));
	if (sqlite3_finalize(st) != SQLITE_OK || !*list)
		rc = store_fail(s);
	sqlite3_free(sql);
	return rc;
}

static int exec_owned(struct store *s, char *sql)
{
	int rc = sql ? store_exec(s, sql)
		     : store_failf(s, -ENOMEM, "out of memory");

	sqlite3_free(sql);
	return rc;
}

static int copy_runs(struct store *s)
{
	char *list;
	int rc = columns_of(s, "run", &list);

	if (!rc)
		rc = exec_owned(s, sqlite3_mprintf(
			"INSERT INTO main.run (campaign_id, %s)"
			" SELECT (SELECT m.id FROM main.campaign m JOIN"
			" source.campaign c ON c.uid = m.uid"
			" WHERE c.id = r.campaign_id), %s"
			" FROM merge_plan p JOIN source.run r"
			" ON r.id = p.source_id ORDER BY p.rowid",
			list, list));
	sqlite3_free(list);
	return rc;
}

static int copy_child(struct store *s, const char *table)
{
	char *list;
	int rc = columns_of(s, table, &list);

	if (!rc)
		rc = exec_owned(s, sqlite3_mprintf(
			"INSERT INTO main.%s (run_id, %s)"
			" SELECT (SELECT id FROM main.run"
			" WHERE key = source_key), %s FROM merge_plan p JOIN source.%s c"
			" ON c.run_id = p.source_id",
			table, list, list, table));
	sqlite3_free(list);
	return rc;
}

static int count(struct store *s, struct store_merged *m)
{
	s64 added, replaced, all;
	int rc;

	rc = store_int(s, "SELECT count(*) FROM merge_plan"
		       " WHERE old_id IS NULL", &added);
	if (!rc)
		rc = store_int(s, "SELECT count(old_id) FROM merge_plan",
			       &replaced);
	if (!rc)
		rc = store_int(s, "SELECT count(*) FROM source.run", &all);
	if (rc)
		return rc;
	m->added += (u64)added;
	m->replaced += (u64)replaced;
	m->kept += (u64)(all - added - replaced);
	return 0;
}

static int merge_attached(struct store *s, struct store_merged *m)
{
	struct store_merged sum = *m;
	size_t i;
	int rc = store_enter(s);

	if (rc)
		return rc;
	rc = store_exec(s, plan_sql);
	if (!rc)
		rc = copy_runs(s);
	for (i = 0; !rc && i < ARRAY_SIZE(children); i++)
		rc = copy_child(s, children[i]);
	if (!rc)
		rc = count(s, &sum);
	if (!rc)
		rc = store_exec(s, "DROP TABLE merge_plan");
	rc = store_leave(s, rc);
	if (!rc)
		*m = sum;
	return rc;
}

/* A source that is readable, ours, of today's schema and not s itself. */
static int check_source(struct store *s, const char *path)
{
	struct stat ours, theirs;
	struct store *source;
	char err[STORE_ERROR_SIZE];
	int rc = store_open(&source, path, STORE_READ, err, sizeof(err));

	if (rc) {
		snprintf(s->error, sizeof(s->error), "%s", err);
		return rc;
	}
	store_close(source);
	if (!stat(s->path, &ours) && !stat(path, &theirs) &&
	    ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino)
		return store_failf(s, -EINVAL, "the database itself, expected "
				   "another one to merge into it");
	return 0;
}

int store_merge(struct store *s, const char *path, struct store_merged *m)
{
	sqlite3_stmt *st = NULL;
	char *name;
	int rc = check_source(s, path);

	if (rc)
		return rc;
	if (s->in_batch)
		return store_failf(s, -EINVAL, "merge inside a transaction");
	name = store_file_name(path);
	if (!name)
		return store_failf(s, -ENOMEM, "out of memory");
	if (sqlite3_prepare_v2(s->db, "ATTACH ? AS source", -1, &st, NULL) ||
	    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC) ||
	    sqlite3_step(st) != SQLITE_DONE)
		rc = store_fail(s);
	sqlite3_finalize(st);
	free(name);
	if (rc)
		return rc;
	rc = merge_attached(s, m);
	sqlite3_exec(s->db, "DETACH source", NULL, NULL, NULL);
	return rc;
}

static bool name_is_plain(const char *name)
{
	return name[0] && name[0] != '.' &&
		strspn(name, "abcdefghijklmnopqrstuvwxyz"
		       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
		strlen(name);
}

int store_shard_path(char *buf, size_t size, const char *db, const char *name)
{
	int n;

	if (!name_is_plain(name))
		return -EINVAL;
	n = snprintf(buf, size, "%s.shards/%s.db", db, name);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

static int is_shard(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 3 && !strcmp(entry->d_name + len - 3, ".db");
}

/* By bytes: alphasort follows the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/*
 * Whether a worker has it open, or has just made it and written nothing yet.
 * A worker that was killed holds no lock; what it left half done is rolled
 * back here.
 */
static bool shard_is_busy(const char *path)
{
	char *name = store_file_name(path);
	struct stat st;
	sqlite3 *db = NULL;
	bool busy = true;

	if (name && !stat(path, &st) && st.st_size &&
	    sqlite3_open_v2(name, &db, SQLITE_OPEN_READWRITE, NULL) ==
	    SQLITE_OK) {
		int rc = sqlite3_exec(db, "BEGIN EXCLUSIVE; ROLLBACK", NULL,
				      NULL, NULL);

		busy = (rc & 0xff) == SQLITE_BUSY;
	}
	sqlite3_close(db);
	free(name);
	return busy;
}

static int collect_one(struct store *s, const char *folder, const char *file,
		       struct store_merged *m)
{
	char *path = sqlite3_mprintf("%s/%s", folder, file);
	int rc = 0;

	if (!path)
		return store_failf(s, -ENOMEM, "out of memory");
	if (!shard_is_busy(path)) {
		rc = store_merge(s, path, m);
		if (!rc && unlink(path))
			rc = store_failf(s, -errno, "cannot remove %s: %s",
					 path, strerror(errno));
		if (!rc)
			rc = 1;
	}
	sqlite3_free(path);
	return rc;
}

int store_collect(struct store *s, struct store_merged *m)
{
	char *folder = sqlite3_mprintf("%s.shards", s->path);
	struct dirent **entry = NULL;
	int i, nr, rc = 0, merged = 0;

	if (!folder)
		return store_failf(s, -ENOMEM, "out of memory");
	nr = scandir(folder, &entry, is_shard, by_name);
	if (nr < 0 && errno != ENOENT)
		rc = store_failf(s, -errno, "%s: %s", folder, strerror(errno));
	for (i = 0; i < nr; i++) {
		if (rc >= 0)
			rc = collect_one(s, folder, entry[i]->d_name, m);
		merged += rc == 1;
		free(entry[i]);
	}
	free(entry);
	if (rc >= 0)
		rmdir(folder);	/* stays when a shard is still in use */
	sqlite3_free(folder);
	return rc < 0 ? rc : merged;
}
