# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += sim/libsim.a
check_LIBRARIES += sim/libsim_debug.a

sim_libsim_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
sim_libsim_a_SOURCES = \
	sim/check.h \
	sim/coro.c \
	sim/coro.h \
	sim/datadir.c \
	sim/datadir.h \
	sim/hist.c \
	sim/hist.h \
	sim/metrics.def \
	sim/outcome.c \
	sim/outcome.h \
	sim/nearest.c \
	sim/param.c \
	sim/param.h \
	sim/param_value.c \
	sim/rng.c \
	sim/rng.h \
	sim/rng_zig.c \
	sim/rng_zig.h \
	sim/stats.c \
	sim/stats.h \
	sim/topo.c \
	sim/topo.h \
	sim/topo_place.c \
	sim/tourney.h \
	sim/types.h \
	sim/version.c \
	sim/version.h
sim_libsim_debug_a_SOURCES = $(sim_libsim_a_SOURCES)
