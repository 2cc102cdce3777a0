/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workers over socket pairs: an item's number goes down, a frame with its
 * bytes comes up. End of file tells of a worker that ended.
 */
#define _GNU_SOURCE		/* sched_getaffinity */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "study/pool.h"

#define TICK_MS		200
#define GRACE_MS	1000	/* for what is finished but not yet sent */

struct frame {
	uint64_t item, size;
};

struct worker {
	pid_t pid;		/* 0: none */
	int fd;
	int busy;
	size_t item;
	char *buf;		/* frame as it comes in */
	size_t used, room;
};

struct pool {
	const struct pool_ops *ops;
	void *ctx;
	const volatile int *stop;
	const size_t *item;
	size_t nr, next;
	struct worker *worker;
	unsigned int nr_workers;
	int rc;			/* first error of an operation */
};

unsigned int pool_nr_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	if (!sched_getaffinity(0, sizeof(set), &set))
		n = CPU_COUNT(&set);
	return n < 1 ? 1 : (unsigned int)n;
}

static int stopped(const struct pool *p)
{
	return p->rc || (p->stop && *p->stop);
}

/* All of it, or 0 when the other end is gone or stop was asked for. */
static int transfer(int fd, void *buf, size_t size, int sending,
		    const volatile int *stop)
{
	char *at = buf;

	while (size) {
		ssize_t n = sending ? send(fd, at, size, MSG_NOSIGNAL) :
				      recv(fd, at, size, 0);

		if (n < 0 && errno == EINTR && !(stop && *stop))
			continue;
		if (n <= 0)
			return 0;
		at += n;
		size -= (size_t)n;
	}
	return 1;
}

/* A finished item is sent even when stop came meanwhile. */
_Noreturn static void worker_main(struct pool *p, int fd)
{
	uint64_t item;

	while (transfer(fd, &item, sizeof(item), 0, p->stop)) {
		struct frame f = { .item = item };
		char *bytes = NULL;
		size_t size = 0;
		int rc = p->ops->work(p->ctx, item, &bytes, &size);

		if (rc)
			_exit(rc == -EINTR ? 0 : 1);
		f.size = size;
		if (!transfer(fd, &f, sizeof(f), 1, NULL) ||
		    !transfer(fd, bytes, size, 1, NULL))
			_exit(1);
		free(bytes);
	}
	_exit(0);
}

static int start_worker(struct pool *p, struct worker *w)
{
	int sv[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sv))
		return -errno;
	pid = fork();
	if (pid < 0) {
		int rc = -errno;

		close(sv[0]);
		close(sv[1]);
		return rc;
	}
	if (!pid) {
		/* an end kept open here would hide the others' end of file */
		for (unsigned int i = 0; i < p->nr_workers; i++)
			if (p->worker[i].pid)
				close(p->worker[i].fd);
		close(sv[0]);
		worker_main(p, sv[1]);
	}
	close(sv[1]);
	w->pid = pid;
	w->fd = sv[0];
	w->busy = 0;
	w->used = 0;
	return 0;
}

static void reap(struct worker *w, char *why, size_t size)
{
	int status = 0;

	close(w->fd);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
	if (WIFSIGNALED(status))
		snprintf(why, size, "worker killed by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(why, size, "worker exited with status %d",
			 WEXITSTATUS(status));
}

static void remember(struct pool *p, int rc)
{
	if (rc < 0 && !p->rc)
		p->rc = rc;
}

/* Next item to an idle worker. One that died idle is found by its EOF. */
static void hand_out(struct pool *p, struct worker *w)
{
	uint64_t item;

	if (w->busy || p->next == p->nr || stopped(p))
		return;
	item = p->item[p->next];
	if (!transfer(w->fd, &item, sizeof(item), 1, NULL))
		return;
	p->next++;
	w->item = item;
	w->busy = 1;
}

static int make_room(struct worker *w)
{
	size_t wanted = sizeof(struct frame);
	struct frame f;
	char *buf;

	if (w->used >= sizeof(f)) {
		memcpy(&f, w->buf, sizeof(f));
		wanted += f.size;
	}
	if (wanted <= w->room)
		return 0;
	buf = realloc(w->buf, wanted);
	if (!buf)
		return -ENOMEM;
	w->buf = buf;
	w->room = wanted;
	return 0;
}

/* How much of the frame is still to come; its header first. */
static size_t missing(const struct worker *w)
{
	struct frame f;

	if (w->used < sizeof(f))
		return sizeof(f) - w->used;
	memcpy(&f, w->buf, sizeof(f));
	return sizeof(f) + f.size - w->used;
}

/* Reads what is there. 0 at the worker's end. */
static int receive(struct pool *p, struct worker *w)
{
	ssize_t n;

	if (make_room(w)) {
		remember(p, -ENOMEM);
		return 1;
	}
	n = recv(w->fd, w->buf + w->used, missing(w), MSG_DONTWAIT);
	if (n < 0)
		return errno == EINTR || errno == EAGAIN;
	if (!n)
		return 0;
	w->used += (size_t)n;
	if (make_room(w)) {
		remember(p, -ENOMEM);
		return 1;
	}
	if (!missing(w)) {
		w->busy = 0;
		remember(p, p->ops->done(p->ctx, w->item,
					 w->buf + sizeof(struct frame),
					 w->used - sizeof(struct frame)));
		w->used = 0;
	}
	return 1;
}

static void worker_ended(struct pool *p, struct worker *w)
{
	int was_busy = w->busy;
	char why[120];

	reap(w, why, sizeof(why));
	if (was_busy && !stopped(p))
		remember(p, p->ops->died(p->ctx, w->item, why));
	if (p->next < p->nr && !stopped(p))
		remember(p, start_worker(p, w));
}

static unsigned int nr_alive(const struct pool *p, int busy_only)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < p->nr_workers; i++)
		n += p->worker[i].pid && (p->worker[i].busy || !busy_only);
	return n;
}

static void poll_workers(struct pool *p, struct pollfd *fds, int timeout_ms)
{
	for (unsigned int i = 0; i < p->nr_workers; i++)
		fds[i] = (struct pollfd) {
			.fd = p->worker[i].pid ? p->worker[i].fd : -1,
			.events = POLLIN,
		};
	if (poll(fds, p->nr_workers, timeout_ms) < 0)
		return;
	for (unsigned int i = 0; i < p->nr_workers; i++)
		if (fds[i].revents && !receive(p, &p->worker[i]))
			worker_ended(p, &p->worker[i]);
}

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Idle workers leave at the end of their input, busy ones when told to. */
static void end_workers(struct pool *p, struct pollfd *fds)
{
	long deadline = now_ms() + GRACE_MS;
	int signal = SIGTERM;

	for (;;) {
		for (unsigned int i = 0; i < p->nr_workers; i++) {
			struct worker *w = &p->worker[i];

			if (!w->pid)
				continue;
			shutdown(w->fd, SHUT_WR);
			if (w->busy && signal)
				kill(w->pid, signal);
		}
		signal = 0;
		while (nr_alive(p, 0) && now_ms() < deadline)
			poll_workers(p, fds, TICK_MS);
		if (!nr_alive(p, 0))
			return;
		for (unsigned int i = 0; i < p->nr_workers; i++)
			if (p->worker[i].pid)
				kill(p->worker[i].pid, SIGKILL);
		deadline = now_ms() + GRACE_MS;
	}
}

static void collect(struct pool *p, struct pollfd *fds)
{
	while (!stopped(p)) {
		for (unsigned int i = 0; i < p->nr_workers; i++)
			if (p->worker[i].pid)
				hand_out(p, &p->worker[i]);
		if (!nr_alive(p, 0) ||
		    (p->next == p->nr && !nr_alive(p, 1)))
			return;
		poll_workers(p, fds, TICK_MS);
		if (p->ops->tick)
			p->ops->tick(p->ctx);
	}
}

static int start_all(struct pool *p)
{
	for (unsigned int i = 0; i < p->nr_workers; i++) {
		int rc = start_worker(p, &p->worker[i]);

		if (rc && !i)
			return rc;
		if (rc)		/* fewer workers do the same */
			break;
	}
	return 0;
}

int pool_run(const size_t *item, size_t nr, unsigned int nr_workers,
	     const struct pool_ops *ops, void *ctx, const volatile int *stop)
{
	struct pool p = {
		.ops = ops, .ctx = ctx, .stop = stop, .item = item, .nr = nr,
		.nr_workers = nr_workers > nr ? (unsigned int)nr : nr_workers,
	};
	struct pollfd *fds;
	int rc = -ENOMEM;

	if (!nr)
		return 0;
	if (!p.nr_workers)
		p.nr_workers = 1;
	p.worker = calloc(p.nr_workers, sizeof(*p.worker));
	fds = calloc(p.nr_workers, sizeof(*fds));
	if (!p.worker || !fds)
		goto out;
	rc = start_all(&p);
	if (rc)
		goto out;
	collect(&p, fds);
	end_workers(&p, fds);
	rc = p.rc ? p.rc : stop && *stop ? -EINTR : 0;
	for (unsigned int i = 0; i < p.nr_workers; i++)
		free(p.worker[i].buf);
out:
	free(p.worker);
	free(fds);
	return rc;
}
