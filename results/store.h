/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_STORE_H
#define RESULTS_STORE_H
/*
 * The database of results: one SQLite file, schema in results/schema.sql.
 *
 * Many processes never write one file: each worker opens a shard of its own
 * (STORE_SHARD) and one collector merges them. Open after fork(), never
 * before it.
 *
 * Functions return 0 or a count, or one of these; what went wrong is then one
 * line in store_error() (or in err of functions that have it):
 *	-EMEDIUMTYPE	 not a database of vmapsim, or no database at all
 *	-EPROTONOSUPPORT made by a newer version of the program
 *	-EUCLEAN	 damaged
 *	-ENOENT		 no such file (STORE_READ), no such run
 *	-ENOTUNIQ	 more than one run fits
 *	-EBUSY		 locked by another process for longer than 10 s
 *	-EROFS, -EACCES, -ENOTDIR, -EISDIR, ...	cannot be opened or written
 *	-ENOSPC		 disk full
 *	-EIO, -ENOMEM, -EINVAL
 */
#include <sqlite3.h>
#include <stdio.h>

#include "results/result.h"

#define STORE_APPLICATION_ID	0x766d6170	/* as in schema.sql */
#define STORE_USER_VERSION	1		/* as in schema.sql */
#define STORE_ERROR_SIZE	512

enum store_mode {
	STORE_READ,	/* must exist; nothing can be written */
	STORE_WRITE,	/* made on demand, with its folders; known to be
			 * writable when the call returns */
	STORE_SHARD,	/* as STORE_WRITE; locked while it is open, so that
			 * a collector leaves it alone; not synced, as it
			 * need not outlive the machine */
};

struct store;

/* *s is owned by the caller, NULL after an error. err may be NULL. */
int store_open(struct store **s, const char *path, enum store_mode mode,
	       char *err, size_t err_size);
void store_close(struct store *s);
/* What the last failed call on s found; one line, no newline. */
const char *store_error(const struct store *s);
const char *store_path(const struct store *s);
/* The connection, for results/query.c and tests. */
sqlite3 *store_db(struct store *s);

/*
 * Many puts in one transaction. Without store_begin each put is one.
 * store_commit after an error in between rolls back and returns that error.
 */
int store_begin(struct store *s);
int store_commit(struct store *s);

/* Row of campaign; its id, to give to store_put, or an error. */
s64 store_campaign(struct store *s, const char *command, const char *version,
		   u64 nr_points);

#define STORE_HISTOGRAMS	1u	/* keep the histograms, too */

/*
 * Stores r with all that belongs to it, or nothing. A finished key is never
 * overwritten: then 1 is returned. A failed or interrupted one is replaced.
 * campaign: id or 0. id may be NULL; it gets the id of the run.
 */
int store_put(struct store *s, const struct result *r, s64 campaign,
	      unsigned int flags, s64 *id);

/* 1 when key is stored with state "done", else 0, or an error. */
int store_is_done(struct store *s, const char *key);
/*
 * The run that text names: its id, or the first 4 to 32 digits of its key.
 * Digits only are an id first.
 */
int store_find(struct store *s, const char *text, s64 *id);
/* r is filled in; result_free it. What is not stored is 0, NULL or NAN. */
int store_load(struct store *s, s64 id, struct result *r);

/* Runs whose column or else parameter `name` has this value. */
struct store_filter {
	const char *name, *value;	/* value as it is printed */
};
/*
 * Ids of the runs that pass all filters, in rising order; number of them.
 * *ids is owned by the caller (free). A name that is no column of run is taken
 * for a parameter's: a misspelt one finds nothing.
 */
ssize_t store_list(struct store *s, const struct store_filter *f, size_t nr,
		   s64 **ids);

struct store_merged {
	u64 added, replaced, kept;	/* runs: new; failed before; there */
};

/*
 * All of the database at path into s, in one transaction, by key: merging the
 * same file again adds nothing. Finished runs win over unfinished ones, else
 * what s has is kept. m is added to, not cleared.
 */
int store_merge(struct store *s, const char *path, struct store_merged *m);

/*
 * Path of a worker's shard of the database: <db>.shards/<name>.db.
 * name: of letters, digits, '-', '_', '.', not beginning with '.'.
 * -EINVAL, -ENAMETOOLONG.
 */
int store_shard_path(char *buf, size_t size, const char *db, const char *name);
/*
 * Merges all shards of s's database that no worker holds open, in the order of
 * their names, removes them, and the folder when it is empty. Shards that a
 * killed run left behind are found, too. Returns how many were merged. On an
 * error that shard and those after it stay.
 */
int store_collect(struct store *s, struct store_merged *m);

#endif
