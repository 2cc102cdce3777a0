# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += sim/libsim.a
check_LIBRARIES += sim/libsim_debug.a

sim_libsim_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
sim_libsim_a_SOURCES = \
	sim/check.h \
	sim/cline.c \
	sim/coro.c \
	sim/coro.h \
	sim/datadir.c \
	sim/datadir.h \
	sim/hist.c \
	sim/hist.h \
	sim/line.c \
	sim/line.h \
	sim/lock_busted.c \
	sim/lock_fifo.c \
	sim/lock_qspinlock.c \
	sim/lock_virt.c \
	sim/locks.def \
	sim/metrics.def \
	sim/mutex.c \
	sim/mutex.h \
	sim/nearest.c \
	sim/outcome.c \
	sim/outcome.h \
	sim/param.c \
	sim/param.h \
	sim/param_value.c \
	sim/rng.c \
	sim/rng.h \
	sim/rng_zig.c \
	sim/rng_zig.h \
	sim/sched.c \
	sim/sched.h \
	sim/sim.c \
	sim/sim.h \
	sim/spinlock.c \
	sim/spinlock.h \
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
