/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"

/* A handler can reach nothing but what is static. */
static volatile int stop_signal;

static void stop(int sig)
{
	stop_signal = sig;
}

const volatile int *signals_install(void)
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sigemptyset(&sa.sa_mask);
	sa.sa_handler = stop;
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	sa.sa_handler = SIG_IGN;	/* a closed pipe is a write error */
	sigaction(SIGPIPE, &sa, NULL);
	sigaction(SIGXFSZ, &sa, NULL);	/* as is a file beyond the limit */
	return &stop_signal;
}
