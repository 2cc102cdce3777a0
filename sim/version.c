/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/version.h"

#define STRING_(x) #x
#define STRING(x) STRING_(x)

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

const char *version_program(void)
{
	return PACKAGE_VERSION;
}

const char *version_full(void)
{
	return PACKAGE_VERSION " model " STRING(MODEL_VERSION);
}
