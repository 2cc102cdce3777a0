# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += study/libstudy.a
check_LIBRARIES += study/libstudy_debug.a

study_libstudy_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
study_libstudy_a_SOURCES = \
	study/scenario.c \
	study/plan.c \
	study/params.c \
	study/machines.h \
	study/machines.c \
	study/base.h \
	study/base.c \
	study/axis.c \
	study/aggregate.c \
	study/aggregate.h \
	study/baseline.c \
	study/baseline.h \
	study/case.c \
	study/case.h \
	study/case_queueing.c \
	study/case_seed002_pairs.c \
	study/cases.def \
	study/judge.c \
	study/validate.c \
	study/validate.h \
	study/validate_json.c \
	study/validate_print.c \
	study/calibrate.c \
	study/calibrate.h \
	study/calibrate_print.c \
	study/fit_seed002.c \
	study/fits.def \
	study/lattice.c \
	study/lattice.h \
	study/pool.c \
	study/pool.h \
	study/progress.c \
	study/progress.h \
	study/run.c \
	study/run.h \
	study/sweep.c \
	study/sweep.h \
	study/wire.c \
	study/wire.h \
	study/scenario.h
study_libstudy_debug_a_SOURCES = $(study_libstudy_a_SOURCES)
