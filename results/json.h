/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_JSON_H
#define RESULTS_JSON_H
/*
 * Results as the JSON document that scripts rely on (schema 1): fields in a
 * fixed order, times in ns, reals with 17 significant digits, NAN as null,
 * plain ASCII. It holds nothing that depends on the host or on the moment.
 *
 * A parameter whose value is a plain number ("8", "0.5") is a number, any
 * other ("12ns", "32M", "on") a string.
 */
#include <jansson.h>
#include <stdio.h>

#include "results/result.h"

#define RUNS_JSON_SCHEMA	1

/* Written run by run. 0, -ENOMEM, or -EIO when the stream has an error. */
int runs_json_write(FILE *out, const char *version,
		    const struct result *const *r, size_t nr);

/* null for NAN and infinity, which JSON has no number for. */
json_t *json_real_or_null(double value);
/* A string; null for NULL; bytes that are no UTF-8 become '?'. */
json_t *json_text(const char *text);

#endif
