/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H
/* What compare shares with sweep. Both return exit statuses, with messages. */
#include "cli/cli.h"

/*
 * Runs a plan into the database. r: [plan->nr] zeroed, gets the results and
 * is to be freed one by one; NULL: they are only stored. EXIT_RUN: some points
 * failed, or it stopped early.
 */
int sweep_execute(const struct cli *c, const struct plan *plan,
		  struct result *r);
/* The document of --dry-run. */
int sweep_print_size(const struct cli *c, const struct plan *plan);

#endif
