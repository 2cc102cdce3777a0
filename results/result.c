/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a run. */
#include "results/result.h"

#include <stdlib.h>
#include <string.h>

void result_free(struct result *r)
{
	size_t i;

	for (i = 0; i < r->nr_params; i++) {
		free(r->param[i].name);
		free(r->param[i].value);
	}
	free(r->param);
	free(r->design);
	free(r->workload);
	free(r->machine);
	free(r->error);
	free(r->lock);
	free(r->line);
	free(r->profile);
	free(r->pair);
	free(r->alloc);
	free(r->free);
	free(r->version);
	free(r->repeat);
	memset(r, 0, sizeof(*r));
}
