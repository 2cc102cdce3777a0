# SPDX-License-Identifier: GPL-3.0-or-later
# No debug twin: nothing here knows of a running simulation.
noinst_LIBRARIES += results/libresults.a

results_libresults_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
results_libresults_a_SOURCES = \
	results/compare.c \
	results/compare.h \
	results/compare_write.c \
	results/embed.h \
	results/histblob.c \
	results/histblob.h \
	results/json.c \
	results/json.h \
	results/migrate.c \
	results/migrate.h \
	results/published.c \
	results/published.h \
	results/query.c \
	results/query.h \
	results/result.c \
	results/result.h \
	results/store.c \
	results/store.h \
	results/store_int.h \
	results/store_list.c \
	results/store_load.c \
	results/store_merge.c \
	results/store_put.c \
	results/table.c \
	results/table.h
nodist_results_libresults_a_SOURCES = results/embedded.c

dist_published_DATA += \
	results/published/README.md \
	results/published/c2c-tr3960x-ccx-median-ns.csv \
	results/published/golden-queueing.csv \
	results/published/seed-v1-jobs.csv

# Sorted by name: `vmapsim list queries` keeps this order.
named_queries = \
	results/queries/failures.sql \
	results/queries/fastest.sql \
	results/queries/knee.sql \
	results/queries/limits.sql \
	results/queries/worst-latency.sql
dist_queries_DATA += $(named_queries)
dist_pkgdata_DATA += results/schema.sql

# The program has the schema and the queries built in (results/embed.h).
EXTRA_DIST += results/embed.awk
CLEANFILES += results/embedded.c results/embedded.c.tmp
results/embedded.c: $(top_srcdir)/results/embed.awk \
		results/schema.sql $(named_queries)
	$(AM_V_GEN)$(MKDIR_P) results && \
	(cd $(top_srcdir) && LC_ALL=C $(AWK) -f results/embed.awk \
		results/schema.sql $(named_queries)) >$@.tmp && mv $@.tmp $@
