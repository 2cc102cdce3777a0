/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim help: --help under another name. */
#include "cli/cli.h"

int cmd_help(struct cli *c)
{
	const char *names[NR_COMMANDS];
	char near[80];
	size_t nr = 0;
	int command;

	command = c->args.nr ? command_find(c->args.word[0]) : COMMAND_help;
	if (command >= 0)
		return cli_help(c, (enum command_id)command);
	for (int i = 0; i < NR_COMMANDS; i++)
		if (commands[i].help)
			names[nr++] = commands[i].name;
	return cli_fail(c, EXIT_USAGE, "found command \"%s\", expected one of "
			"vmapsim help%s", c->args.word[0],
			cli_nearest(c->args.word[0], names, nr, near,
				    sizeof(near)));
}
