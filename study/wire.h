/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_WIRE_H
#define STUDY_WIRE_H
/*
 * A result as bytes, for the pipe between a worker and its collector: two
 * processes of one program on one machine, so the layout is the compiler's.
 * Never written to a file.
 */
#include "results/result.h"

/* *bytes is to be freed. 0 or -ENOMEM. */
int wire_pack(const struct result *r, char **bytes, size_t *size);
/* 0, -ENOMEM, or -EBADMSG for bytes that wire_pack() did not make. */
int wire_unpack(const char *bytes, size_t size, struct result *r);

#endif
