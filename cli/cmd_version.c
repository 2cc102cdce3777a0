/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"
#include "sim/version.h"

int cmd_version(struct cli *c)
{
	struct output o;
	int status = output_open(c, &o);

	if (status)
		return status;
	if (c->format == TABLE_JSON)
		fprintf(o.file, "{\"schema\": 1, \"version\": \"%s\", "
			"\"model\": %d}\n", version_program(), MODEL_VERSION);
	else
		fprintf(o.file, "vmapsim %s\n", version_full());
	return output_close(c, &o, EXIT_DONE);
}
