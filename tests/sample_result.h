/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_SAMPLE_RESULT_H
#define TESTS_SAMPLE_RESULT_H
/* Results for tests of results/: filled in by hand, nothing is simulated. */
#include "results/result.h"

/*
 * Key is nr as 32 hex digits; figures follow from nr and nr_threads, metrics
 * that do not apply are NAN, va_failed has no interval. Free with result_free.
 */
void sample_result(struct result *r, u32 nr, const char *design,
		   u32 nr_threads);
/* Fails the test that runs unless both hold the same, bit for bit. */
void assert_same_result(const struct result *a, const struct result *b);
/* $TEST_TMPDIR/NAME, or below /tmp, in a buffer of the caller. */
const char *scratch(char *buf, size_t size, const char *name);

#endif
