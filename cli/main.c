/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

#define COMMAND(name, args, help) [COMMAND_##name] = \
	{ #name, args, help, cmd_##name },
#define LATER(name, args, help) [COMMAND_##name] = \
	{ #name, args, help, NULL },
#define HIDDEN(name) [COMMAND_##name] = { #name, "", NULL, cmd_##name },
const struct command commands[NR_COMMANDS] = {
#include "cli/commands.def"
};

/*
 * A standard stream that is closed would give its number to the next file
 * that is opened, a database for one. What is put there instead fails when
 * the stream is used.
 */
static void keep_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			_exit(EXIT_RUN);
}

int main(int argc, char **argv)
{
	struct cli c = { 0 };
	int status;

	keep_standard_streams();
	atexit(output_check_stdout);
	c.stop = signals_install();
	status = cli_parse(&c, argc, argv);
	if (status == EXIT_DONE && !commands[c.command].run)
		status = cli_fail(&c, EXIT_USAGE, "%s is not there yet",
				  commands[c.command].name);
	else if (status == EXIT_DONE)
		status = commands[c.command].run(&c);
	cli_free(&c);
	return status;
}
