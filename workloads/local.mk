# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += workloads/libworkloads.a
check_LIBRARIES += workloads/libworkloads_debug.a

workloads_libworkloads_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
workloads_libworkloads_a_SOURCES = \
	workloads/workload.h
workloads_libworkloads_debug_a_SOURCES = $(workloads_libworkloads_a_SOURCES)

dist_jobs_DATA += workloads/seed002-pairs.job
