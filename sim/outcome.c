/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/outcome.h"

#include <errno.h>
#include <math.h>
#include <string.h>

const struct metric_desc metric_descs[NR_METRICS] = {
#define METRIC(n, u, b, h) \
	[METRIC_##n] = { .name = #n, .unit = u, .help = h, .better = b },
#include "sim/metrics.def"
#undef METRIC
};

const char *const regime_names[] = {
	[REGIME_NONE] = "none",
	[REGIME_CLUSTERED] = "clustered",
	[REGIME_SCATTERED] = "scattered",
	[REGIME_MIXED] = "mixed",
};

int metric_find(const char *name)
{
	for (int i = 0; i < NR_METRICS; i++)
		if (!strcmp(metric_descs[i].name, name))
			return i;
	return -ENOENT;
}

void outcome_init(struct outcome *o)
{
	memset(o, 0, sizeof(*o));
	for (int i = 0; i < NR_METRICS; i++)
		o->metric[i] = NAN;
	hist_init(&o->pair);
	hist_init(&o->alloc);
	hist_init(&o->free);
}
