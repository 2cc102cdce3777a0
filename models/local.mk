# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += models/libmodels.a
check_LIBRARIES += models/libmodels_debug.a

models_libmodels_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
models_libmodels_a_SOURCES = \
	models/global.c \
	models/machine.c \
	models/machine.h \
	models/machine_file.c \
	models/machine_params.c \
	models/models.def \
	models/va_alloc.c \
	models/va_rb.c \
	models/va_rb.h \
	models/va_tree.c \
	models/va_tree.h \
	models/vmalloc.c \
	models/vmap.c \
	models/vmap.h \
	models/vmap_int.h \
	models/zone.c
models_libmodels_debug_a_SOURCES = $(models_libmodels_a_SOURCES)

dist_machines_DATA += models/machines/threadripper-3970x.machine
