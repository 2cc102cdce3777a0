/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WORKLOADS_FIGURES_H
#define WORKLOADS_FIGURES_H
/*
 * From counters to metrics: each is one division of exact integers.
 */
#include "sim/sim.h"

/* out->pairs, window, histograms and counters are there; metric[] and regime
 * are filled in. s is read for topology and the tasks' places only. */
void figures_fill(struct outcome *out, const struct sim *s, u32 nr_threads);

#endif
