/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "sim/version.h"

int main(void)
{
	return printf("vmapsim %s\n", version_full()) < 0;
}
