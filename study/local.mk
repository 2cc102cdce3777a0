# SPDX-License-Identifier: GPL-3.0-or-later
noinst_LIBRARIES += study/libstudy.a
check_LIBRARIES += study/libstudy_debug.a

study_libstudy_a_CPPFLAGS = $(RELEASE_CPPFLAGS)
study_libstudy_a_SOURCES = \
	study/scenario.h
study_libstudy_debug_a_SOURCES = $(study_libstudy_a_SOURCES)
