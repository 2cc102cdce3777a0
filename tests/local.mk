# SPDX-License-Identifier: GPL-3.0-or-later
#
# A test in C is two lines, one test program a file, one cmocka group in it
# (TAP allows one plan):
#	unit_tests += tests/NAME.t
#	tests_NAME_t_SOURCES = tests/NAME.c
# A test in shell, mode 755, is one:
#	shell_tests += tests/NAME.t
# What is too slow under the sanitizers goes into slow_tests as well.

unit_tests =
shell_tests =
slow_tests =

unit_tests += tests/datadir.t
tests_datadir_t_SOURCES = tests/datadir.c

unit_tests += tests/test_study_run.t
tests_test_study_run_t_SOURCES = tests/test_study_run.c \
	tests/fake_workload.c tests/fake_workload.h
unit_tests += tests/test_study_sweep.t
tests_test_study_sweep_t_SOURCES = tests/test_study_sweep.c \
	tests/fake_workload.c tests/fake_workload.h
unit_tests += tests/test_study_validate.t
tests_test_study_validate_t_SOURCES = tests/test_study_validate.c
unit_tests += tests/test_fit.t
tests_test_fit_t_SOURCES = tests/test_fit.c

unit_tests += tests/test_rng.t
tests_test_rng_t_SOURCES = tests/test_rng.c tests/zig_tables.h \
	tests/cmocka_all.h
unit_tests += tests/test_hist.t
tests_test_hist_t_SOURCES = tests/test_hist.c
unit_tests += tests/test_param.t
tests_test_param_t_SOURCES = tests/test_param.c
unit_tests += tests/test_topo.t
tests_test_topo_t_SOURCES = tests/test_topo.c
unit_tests += tests/test_stats.t
tests_test_stats_t_SOURCES = tests/test_stats.c
unit_tests += tests/test_machine.t
tests_test_machine_t_SOURCES = tests/test_machine.c

# Prints sim/rng_zig.c, which is committed.
check_PROGRAMS += tests/gen_zig
tests_gen_zig_SOURCES = tests/gen_zig.c tests/zig_tables.h
tests_gen_zig_LDADD = -lm

unit_tests += tests/test_axis.t
tests_test_axis_t_SOURCES = tests/test_axis.c
unit_tests += tests/test_job.t
tests_test_job_t_SOURCES = tests/test_job.c cli/job.c cli/job.h
unit_tests += tests/test_scenario.t
tests_test_scenario_t_SOURCES = tests/test_scenario.c

sample_results = \
	tests/sample_result.c tests/sample_result.h \
	tests/sample_store.c tests/sample_store.h
unit_tests += tests/test_store.t
tests_test_store_t_SOURCES = tests/test_store.c $(sample_results)
unit_tests += tests/test_store_runs.t
tests_test_store_runs_t_SOURCES = tests/test_store_runs.c $(sample_results)
unit_tests += tests/test_query.t
tests_test_query_t_SOURCES = tests/test_query.c $(sample_results)
unit_tests += tests/test_table.t
tests_test_table_t_SOURCES = tests/test_table.c
unit_tests += tests/test_json.t
tests_test_json_t_SOURCES = tests/test_json.c $(sample_results)
unit_tests += tests/test_compare.t
tests_test_compare_t_SOURCES = tests/test_compare.c $(sample_results)
unit_tests += tests/test_published.t
tests_test_published_t_SOURCES = tests/test_published.c $(sample_results)

engine_rig = tests/rig.c tests/rig.h tests/cmocka_all.h
unit_tests += tests/test_coro.t
tests_test_coro_t_SOURCES = tests/test_coro.c $(engine_rig)
unit_tests += tests/test_engine.t
tests_test_engine_t_SOURCES = tests/test_engine.c $(engine_rig)
unit_tests += tests/test_line.t
tests_test_line_t_SOURCES = tests/test_line.c $(engine_rig)
unit_tests += tests/test_lock.t
tests_test_lock_t_SOURCES = tests/test_lock.c $(engine_rig)
unit_tests += tests/test_qspinlock.t
tests_test_qspinlock_t_SOURCES = tests/test_qspinlock.c $(engine_rig)
unit_tests += tests/test_sched.t
tests_test_sched_t_SOURCES = tests/test_sched.c $(engine_rig)
unit_tests += tests/test_va_tree.t
tests_test_va_tree_t_SOURCES = tests/test_va_tree.c $(engine_rig)
unit_tests += tests/test_vmap.t
tests_test_vmap_t_SOURCES = tests/test_vmap.c $(engine_rig)
unit_tests += tests/test_zone.t
tests_test_zone_t_SOURCES = tests/test_zone.c $(engine_rig)
unit_tests += tests/test_workloads.t
tests_test_workloads_t_SOURCES = tests/test_workloads.c $(engine_rig)

shell_tests += tests/cli_complete.t
shell_tests += tests/cli_errors.t
shell_tests += tests/cli_man.t
shell_tests += tests/cli_output.t
shell_tests += tests/test_plot.t
shell_tests += tests/determinism.t
slow_tests += tests/determinism.t
# the shipped machine file, and what is predicted with it
shell_tests += tests/calibrated.t
shell_tests += tests/zone_prediction.t
slow_tests += tests/calibrated.t tests/zone_prediction.t

shell_tests += tests/includes.t
shell_tests += tests/readme.t
shell_tests += tests/style.t

EXTRA_DIST += $(shell_tests) tests/tap.sh \
	build-aux/check-includes.sh build-aux/check-style.sh \
	build-aux/count-tests.sh build-aux/sources.sh

# --- how they are run -------------------------------------------------------
TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' \
	$(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
# Each test has an empty folder of its own, and no database but in there.
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	PATH="$$top_builddir:$$PATH"; export PATH; \
	TEST_TMPDIR="$$top_builddir/tests/scratch/$$$$"; export TEST_TMPDIR; \
	rm -rf "$$TEST_TMPDIR" && $(MKDIR_P) "$$TEST_TMPDIR" || exit 1; \
	VMAPSIM_DB="$$TEST_TMPDIR/results.db"; export VMAPSIM_DB; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	LC_ALL=C; export LC_ALL;
TESTS = $(unit_tests) $(shell_tests)

# The program once more, all that makes numbers compiled anew and in one go:
# for determinism.t, which says by which compiler, and where to.
other_sources = $(study_libstudy_a_SOURCES) $(workloads_libworkloads_a_SOURCES) \
	$(models_libmodels_a_SOURCES) $(sim_libsim_a_SOURCES)
.PHONY: other-vmapsim
other-vmapsim: vmapsim
	set --; \
	for f in $(other_sources); do \
		case $$f in *.c) set -- "$$@" $(srcdir)/$$f;; esac; \
	done; \
	$(OTHER_CC) -std=gnu17 -ffp-contract=off $(OTHER_CFLAGS) \
		$(SANITIZE_CFLAGS) $(DEFS) $(DEFAULT_INCLUDES) \
		$(RELEASE_CPPFLAGS) -o $(OTHER_PROGRAM) $(vmapsim_OBJECTS) \
		"$$@" plots/libplots.a results/libresults.a $(EXTERNAL_LIBS)

# Fewer tests, for a build with sanitizers.
.PHONY: check-quick
check-quick:
	slow=' $(slow_tests) '; quick=; \
	for t in $(TESTS); do \
		case $$slow in *" $$t "*) ;; *) quick="$$quick $$t";; esac; \
	done; \
	$(MAKE) $(AM_MAKEFLAGS) check TESTS="$$quick"

# The installed program finds its installed files, and runs. (In a folder of its
# own: the build tree's are found by a program that lies in the build tree.)
installcheck-local:
	rm -rf tests/scratch/installed
	$(MKDIR_P) tests/scratch/installed
	cd tests/scratch/installed && \
	"$(DESTDIR)$(bindir)/vmapsim" run --set machine=threadripper-3970x \
		--set design=global --set loops=50 >out && \
	"$(DESTDIR)$(bindir)/vmapsim" query knee >out && test -f results/results.db

clean-local:
	rm -rf tests/scratch
