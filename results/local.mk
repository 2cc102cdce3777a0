# SPDX-License-Identifier: GPL-3.0-or-later
# No debug twin: nothing here knows of a running simulation.
noinst_LIBRARIES += results/libresults.a

results_libresults_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
results_libresults_a_SOURCES = \
	results/result.h

dist_published_DATA +=
dist_queries_DATA +=
dist_pkgdata_DATA +=
