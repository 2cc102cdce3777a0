/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <time.h>
#include <unistd.h>

#include "study/progress.h"

#define TTY_PERIOD_S	0.2
#define PLAIN_PERIOD_S	30.0
#define BAR_WIDTH	30

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_init(struct progress *p, FILE *out, size_t total, double work)
{
	*p = (struct progress) {
		.out = out, .total = total, .work_total = work,
		.tty = out && isatty(fileno(out)), .start_s = now_s(),
	};
	p->shown_s = p->start_s;
}

void progress_add(struct progress *p, double work, bool failed)
{
	p->done++;
	p->failed += failed;
	p->work_done += work;
}

static void put_eta(const struct progress *p, double now)
{
	double share = p->work_total > 0 ? p->work_done / p->work_total : 0;
	double left_s;
	unsigned int s;

	if (share <= 0) {
		fputs("ETA --:--", p->out);
		return;
	}
	left_s = (now - p->start_s) * (1 - share) / share;
	s = left_s < 359999 ? (unsigned int)(left_s + 0.5) : 359999;
	if (s < 3600)
		fprintf(p->out, "ETA %02u:%02u", s / 60, s % 60);
	else
		fprintf(p->out, "ETA %u:%02u:%02u", s / 3600, s / 60 % 60,
			s % 60);
}

static void put_bar(const struct progress *p)
{
	double share = p->work_total > 0 ? p->work_done / p->work_total : 0;
	int filled = (int)(share * BAR_WIDTH);

	fputs("\r[", p->out);
	for (int i = 0; i < BAR_WIDTH; i++)
		putc(i < filled ? '#' : '.', p->out);
	fputs("] ", p->out);
}

void progress_tick(struct progress *p)
{
	double now;

	if (!p->out)
		return;
	now = now_s();
	if (now - p->shown_s < (p->tty ? TTY_PERIOD_S : PLAIN_PERIOD_S))
		return;
	p->shown_s = now;
	if (p->tty)
		put_bar(p);
	fprintf(p->out, "%zu of %zu points, ", p->done, p->total);
	if (p->failed)
		fprintf(p->out, "%zu failed, ", p->failed);
	put_eta(p, now);
	fputs(p->tty ? "\033[K" : "\n", p->out);
	fflush(p->out);
}

void progress_end(struct progress *p)
{
	if (p->out && p->tty) {
		fputs("\r\033[K", p->out);
		fflush(p->out);
	}
}
