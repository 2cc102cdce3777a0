/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CHECK_H
#define SIM_CHECK_H
/*
 * Two strengths of assertion. check_always() stands in every build, for
 * invariants that cost little. check_debug() is for the hot path and exists in
 * debug builds only (VMAPSIM_DEBUG=1), which is what the test-suite runs.
 * A failed check prints what, where and the seed that replays it, and aborts.
 */
#include "sim/types.h"

#ifndef VMAPSIM_DEBUG
#define VMAPSIM_DEBUG 0
#endif

struct sim;
_Noreturn void check_failed(const struct sim *s, const char *what,
			    const char *file, int line);

#define check_always(s, cond) do {					\
	if (__builtin_expect(!(cond), 0))				\
		check_failed(s, #cond, __FILE__, __LINE__);		\
} while (0)

#if VMAPSIM_DEBUG
#define check_debug(s, cond) check_always(s, cond)
#else
#define check_debug(s, cond) do { (void)sizeof(s); } while (0)
#endif

#endif
