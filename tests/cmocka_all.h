/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_CMOCKA_ALL_H
#define TESTS_CMOCKA_ALL_H
/* cmocka.h with what has to be included before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
