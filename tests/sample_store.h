/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_SAMPLE_STORE_H
#define TESTS_SAMPLE_STORE_H
/* Databases for tests of results/; an error fails the test that runs. */
#include "results/store.h"

/* A path in the scratch folder where no file is (any more). */
const char *fresh(char *buf, size_t size, const char *name);
struct store *open_or_fail(const char *path, enum store_mode mode);
/* First column of the first row as an integer. */
s64 number_of(sqlite3 *db, const char *sql);
s64 number(struct store *s, const char *sql);
/* Puts sample_result(nr, "global", nr) with this state; its id. */
s64 put(struct store *s, u32 nr, const char *state);

#endif
