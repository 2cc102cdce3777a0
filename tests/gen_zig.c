/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints sim/rng_zig.c: gen_zig > sim/rng_zig.c. Needs no rerun ever. */
#include <stdio.h>

#include "tests/zig_tables.h"

static void print_table(const char *name, const double *v)
{
	printf("\nconst double %s[RNG_ZIG_NR + 1] = {\n", name);
	for (int i = 0; i <= RNG_ZIG_NR; i += 2) {
		printf("\t%a,", v[i]);
		if (i < RNG_ZIG_NR)
			printf(" %a,", v[i + 1]);
		putchar('\n');
	}
	printf("};\n");
}

int main(void)
{
	double x[RNG_ZIG_NR + 1], f[RNG_ZIG_NR + 1];

	zig_tables(x, f);
	printf("/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
	       "/* Printed by tests/gen_zig.c; not edited by hand. */\n"
	       "#include \"sim/rng_zig.h\"\n");
	print_table("rng_zig_x", x);
	print_table("rng_zig_f", f);
	return 0;
}
