/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_HISTBLOB_H
#define RESULTS_HISTBLOB_H
/*
 * Histograms as bytes: the format of column histogram.data, described in
 * results/schema.sql. Little-endian on every host, empty buckets left out.
 */
#include "sim/hist.h"

/* Owned by the caller (free), NULL without memory. */
u8 *hist_encode(const struct hist *h, size_t *size);
/*
 * 0; -EPROTO for another geometry; -EUCLEAN for bytes that are no histogram
 * or whose counts do not add up. h is then undefined.
 */
int hist_decode(struct hist *h, const u8 *data, size_t size);

#endif
