# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += workloads/libworkloads.a
check_LIBRARIES += workloads/libworkloads_debug.a

workloads_libworkloads_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
workloads_libworkloads_a_SOURCES = \
	workloads/driver.c \
	workloads/driver.h \
	workloads/figures.c \
	workloads/figures.h \
	workloads/lockloop.c \
	workloads/pair.c \
	workloads/workload.c \
	workloads/workload.h \
	workloads/workloads.def
workloads_libworkloads_debug_a_SOURCES = $(workloads_libworkloads_a_SOURCES)

dist_jobs_DATA += workloads/seed002-pairs.job \
	workloads/seed002-regime.job
