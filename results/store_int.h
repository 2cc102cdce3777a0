/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_STORE_INT_H
#define RESULTS_STORE_INT_H
/* What the files of the store share; nobody else includes this. */
#include "results/store.h"

struct store {
	sqlite3 *db;
	char *path;
	bool in_batch;		/* between store_begin and store_commit */
	int batch_error;	/* first error in it */
	char error[STORE_ERROR_SIZE];
};

/* Name of a path that SQLite takes for a file whatever it looks like. */
char *store_file_name(const char *path);
/* -errno for SQLite's last error, with a line "path: what" in s->error. */
int store_fail(struct store *s);
/* The same for an error of our own. */
int store_failf(struct store *s, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Runs statements without results. */
int store_exec(struct store *s, const char *sql);
/* First column of the first row as an integer; -ENODATA without a row. */
int store_int(struct store *s, const char *sql, s64 *value);
/* A savepoint around one change of several rows. */
int store_enter(struct store *s);
int store_leave(struct store *s, int rc);

/*
 * Columns of run that hold metrics: one list for writing, kept here beside
 * schema.sql's. The metric's index, and whether its ci95 has a column.
 */
#define STORE_RUN_METRICS(X)		\
	X(pair_ns, 1)			\
	X(alloc_ns, 0)			\
	X(free_ns, 0)			\
	X(throughput_per_s, 1)		\
	X(latency_ns_p50, 0)		\
	X(latency_ns_p99, 0)		\
	X(latency_ns_max, 0)		\
	X(wait_ns_mean, 0)		\
	X(hold_util, 0)			\
	X(preemptoff_ns_max, 0)		\
	X(va_failed, 0)			\
	X(far_share, 0)

#endif
