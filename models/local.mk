# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += models/libmodels.a
check_LIBRARIES += models/libmodels_debug.a

models_libmodels_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
models_libmodels_a_SOURCES = \
	models/machine.c \
	models/machine.h \
	models/machine_file.c \
	models/machine_params.c \
	models/vmap.h
models_libmodels_debug_a_SOURCES = $(models_libmodels_a_SOURCES)

dist_machines_DATA +=
