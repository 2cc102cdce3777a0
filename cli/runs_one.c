/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run on paper: locks as perf lock contention shows them, then figures. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "results/json.h"
#include "sim/version.h"

#define WIDTH_MAX 78

/* A command line of any length, continued as a shell would read it. */
static void put_command(FILE *out, const char *text)
{
	size_t col = 0;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (col && col + 1 + len + 2 > WIDTH_MAX) {
			fputs(" \\\n   ", out);
			col = 3;
		}
		col += (size_t)fprintf(out, "%s%.*s", col ? " " : "", (int)len,
				       text);
		text += len + (text[len] == ' ');
	}
	putc('\n', out);
}

int runs_print_heading(const struct cli *c, FILE *out, const struct result *r)
{
	char *line = input_command_line(c);

	if (!line)
		return -ENOMEM;
	put_command(out, line);
	free(line);
	fprintf(out, "vmapsim %s, seed %llu, %u replication%s, 95%% "
		"intervals\n\n", r ? r->version : version_full(),
		(unsigned long long)(r ? r->seed : 1),
		r ? r->replications : 0,
		r && r->replications == 1 ? "" : "s");
	return 0;
}

static int by_wait(const void *a, const void *b)
{
	const struct lock_counts *la = *(const struct lock_counts *const *)a;
	const struct lock_counts *lb = *(const struct lock_counts *const *)b;

	if (la->wait_total != lb->wait_total)
		return la->wait_total < lb->wait_total ? 1 : -1;
	return strcmp(la->name, lb->name);
}

static double ns(ps_t ps)
{
	return (double)ps / PS_PER_NS;
}

static void put_lock(FILE *out, const struct lock_counts *l)
{
	char total[32], max[32], avg[32];

	format_ns(total, sizeof(total), ns(l->wait_total));
	format_ns(max, sizeof(max), ns(l->wait_max));
	format_ns(avg, sizeof(avg),
		  ns(l->wait_total) / (double)l->contentions);
	fprintf(out, "%10llu %10s %10s %10s  %-8s  %.23s\n",
		(unsigned long long)l->contentions, total, max, avg, l->type,
		l->name);
}

static int put_locks(FILE *out, const struct result *r)
{
	const struct lock_counts **l = calloc(r->nr_locks + 1, sizeof(*l));
	size_t nr = 0;

	if (!l)
		return -ENOMEM;
	for (size_t i = 0; i < r->nr_locks; i++)
		if (r->lock[i].contentions)
			l[nr++] = &r->lock[i];
	qsort(l, nr, sizeof(*l), by_wait);
	fprintf(out, "%10s %10s %10s %10s  %-8s  %s\n", "contended",
		"total wait", "max wait", "avg wait", "type", "lock");
	for (size_t i = 0; i < nr; i++)
		put_lock(out, l[i]);
	if (!nr)
		fprintf(out, "%10d %10s %10s %10s  %-8s  (none)\n", 0, "-",
			"-", "-", "-");
	putc('\n', out);
	free(l);
	return 0;
}

struct figure {
	enum metric metric;
	const char *name;
	bool always;		/* else only with --verbose */
};

static const struct figure figures[] = {
	{ METRIC_pair_ns, "pair", true },
	{ METRIC_alloc_ns, "  alloc", true },
	{ METRIC_free_ns, "  free", true },
	{ METRIC_throughput_per_s, "throughput", true },
	{ METRIC_latency_ns_p50, "latency p50", true },
	{ METRIC_latency_ns_p90, "latency p90", true },
	{ METRIC_latency_ns_p99, "latency p99", true },
	{ METRIC_latency_ns_p999, "latency p99.9", true },
	{ METRIC_latency_ns_max, "latency max", true },
	{ METRIC_preemptoff_ns_max, "preemption off max", true },
	{ METRIC_wait_ns_mean, "lock wait mean", true },
	{ METRIC_hold_util, "lock held", true },
	{ METRIC_va_failed, "allocations failed", false },
	{ METRIC_serial_ns, "serial time", false },
	{ METRIC_far_share, "far hand-overs", false },
	{ METRIC_pending_share, "by pending bit", false },
	{ METRIC_transfers_per_op, "transfers a pair", false },
	{ METRIC_purges, "purges", false },
	{ METRIC_lazy_pages_max, "lazy pages max", false },
	{ METRIC_pairs, "pairs measured", false },
	{ METRIC_warmup_ns, "warm-up left out", false },
};

/* A value in a unit that reads well. */
static void format_figure(char *buf, size_t size, enum metric m, double value)
{
	const char *unit = metric_descs[m].unit;

	if (isnan(value))
		snprintf(buf, size, "-");
	else if (!strcmp(unit, "ns"))
		format_ns(buf, size, value);
	else if (!strcmp(unit, "1/s") && fabs(value) >= 1e6)
		snprintf(buf, size, "%.4g M/s", value / 1e6);
	else if (!strcmp(unit, "1/s"))
		snprintf(buf, size, "%.4g k/s", value / 1e3);
	else if (m == METRIC_hold_util || m == METRIC_far_share ||
		 m == METRIC_pending_share)
		snprintf(buf, size, "%.2f%%", 100 * value);
	else
		snprintf(buf, size, "%.4g%s%s", value,
			 strcmp(unit, "1") ? " " : "",
			 strcmp(unit, "1") ? unit : "");
}

static void put_figures(FILE *out, const struct result *r, bool all)
{
	for (size_t i = 0; i < ARRAY_SIZE(figures); i++) {
		const struct figure *f = &figures[i];
		struct metric_value v = r->metric[f->metric];
		char mean[48], ci[48];

		if (isnan(v.mean) || !(f->always || all ||
		    (f->metric == METRIC_va_failed && v.mean > 0)))
			continue;
		format_figure(mean, sizeof(mean), f->metric, v.mean);
		format_figure(ci, sizeof(ci), f->metric, v.ci95);
		fprintf(out, "%-20s %14s  +- %s\n", f->name, mean, ci);
	}
}

static void put_lines(FILE *out, const struct result *r)
{
	if (!r->nr_lines)
		return;
	fprintf(out, "\n%12s %12s %12s   %s\n", "near", "far", "wait", "line");
	for (size_t i = 0; i < r->nr_lines; i++) {
		const struct line_counts *l = &r->line[i];
		char wait[32];

		format_ns(wait, sizeof(wait), ns(l->wait_total));
		fprintf(out, "%12llu %12llu %12s   %.36s\n",
			(unsigned long long)l->transfers_near,
			(unsigned long long)l->transfers_far, wait, l->name);
	}
}

static int print_text(const struct cli *c, FILE *out, const struct result *r)
{
	int rc = runs_print_heading(c, out, r);

	if (!rc)
		rc = put_locks(out, r);
	if (rc)
		return rc;
	put_figures(out, r, c->verbose);
	fprintf(out, "%-20s %14s\n", "regime", regime_names[r->regime]);
	if (c->verbose)
		put_lines(out, r);
	fprintf(out, "\n%s", r->workload);
	if (strcmp(r->design, SCENARIO_NO_DESIGN))
		fprintf(out, ", %s", r->design);
	fprintf(out, " on %s, %u thread%s: %s", r->machine, r->nr_threads,
		r->nr_threads == 1 ? "" : "s", r->state);
	if (r->error)
		fprintf(out, ": %s", r->error);
	fprintf(out, "\nrun %s\n", r->key);
	return ferror(out) ? -EIO : 0;
}

int runs_print_one(const struct cli *c, FILE *out, const struct result *r)
{
	if (c->format == TABLE_TEXT)
		return print_text(c, out, r);
	return runs_print_many(c, out, r, 1);
}
