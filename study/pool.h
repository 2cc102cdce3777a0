/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_POOL_H
#define STUDY_POOL_H
/*
 * Worker processes that do numbered items, and the one collector (the calling
 * process) that hears of them. A process a worker, so that one that crashes
 * costs one item; every item is handed out once, when a worker is free.
 */
#include <stddef.h>

struct pool_ops {
	/*
	 * In a worker: do the item, leave malloc()ed bytes. 0; -EINTR when
	 * stopped, nothing is sent then; any other error ends the worker.
	 */
	int (*work)(void *ctx, size_t item, char **bytes, size_t *size);
	/*
	 * In the collector, as items finish, in no certain order. An error
	 * stops the pool as *stop does, and pool_run() returns it.
	 */
	int (*done)(void *ctx, size_t item, const char *bytes, size_t size);
	/* Likewise, for an item whose worker ended in the middle of it. */
	int (*died)(void *ctx, size_t item, const char *why);
	/* In the collector, several times a second; may be NULL. */
	void (*tick)(void *ctx);
};

/*
 * Does item[0..nr), handed out in this order. Flush stdio and have no thread
 * running when you call it: it forks. stop is looked at all the time, also in
 * the workers (a signal handler that the caller installed sets it there too);
 * what workers had in hand is then dropped, after a second by SIGKILL.
 * 0, -EINTR (stopped), -errno of fork or of an operation.
 */
int pool_run(const size_t *item, size_t nr, unsigned int nr_workers,
	     const struct pool_ops *ops, void *ctx, const volatile int *stop);

/* CPUs that this process may use; at least 1. */
unsigned int pool_nr_cpus(void);

#endif
