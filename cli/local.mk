# SPDX-License-Identifier: GPL-3.0-or-later
bin_PROGRAMS += vmapsim
check_PROGRAMS += vmapsim-debug

vmapsim_CPPFLAGS = $(RELEASE_CPPFLAGS)
vmapsim_LDADD = $(RELEASE_LIBS)
vmapsim_SOURCES = \
	cli/cli.h \
	cli/cmd_calibrate.c \
	cli/cmd_compare.c \
	cli/cmd_complete.c \
	cli/cmd_help.c \
	cli/cmd_list.c \
	cli/cmd_merge.c \
	cli/cmd_plot.c \
	cli/cmd_query.c \
	cli/cmd_run.c \
	cli/cmd_sweep.c \
	cli/cmd_validate.c \
	cli/cmd_version.c \
	cli/commands.def \
	cli/fill.c \
	cli/fill.h \
	cli/input.c \
	cli/job.c \
	cli/job.h \
	cli/list.c \
	cli/list.h \
	cli/list_params.c \
	cli/main.c \
	cli/message.c \
	cli/options.c \
	cli/options.def \
	cli/output.c \
	cli/runs_many.c \
	cli/runs_one.c \
	cli/signals.c \
	cli/sweep.h

# The same program with the checks of sim/check.h, for the shell tests.
vmapsim_debug_SOURCES = $(vmapsim_SOURCES)
vmapsim_debug_LDADD = $(DEBUG_LIBS)

# Where the shells look for it, in our own prefix.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = cli/completion/vmapsim
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = cli/completion/_vmapsim
