# SPDX-License-Identifier: GPL-3.0-or-later
bin_PROGRAMS += vmapsim
check_PROGRAMS += vmapsim-debug

vmapsim_CPPFLAGS = $(RELEASE_CPPFLAGS)
vmapsim_LDADD = $(RELEASE_LIBS)
vmapsim_SOURCES = \
	cli/job.c \
	cli/job.h \
	cli/main.c

# The same program with the checks of sim/check.h, for the shell tests.
vmapsim_debug_SOURCES = $(vmapsim_SOURCES)
vmapsim_debug_LDADD = $(DEBUG_LIBS)
