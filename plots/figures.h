/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_FIGURES_H
#define PLOTS_FIGURES_H
/* One entry a figure, in plots/figure_NAME.c; listed in plots/figures.def. */
#include "plots/plot.h"

#define FIGURE(name) extern const struct figure figure_##name;
#include "plots/figures.def"
#undef FIGURE

#endif
