# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += plots/libplots.a

plots_libplots_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
plots_libplots_a_SOURCES = \
	plots/curves.c \
	plots/curves.h \
	plots/figure_regime.c \
	plots/figure_scaling.c \
	plots/figures.def \
	plots/figures.h \
	plots/plot.c \
	plots/plot.h

dist_plots_DATA += \
	plots/regime.gp \
	plots/scaling.gp
