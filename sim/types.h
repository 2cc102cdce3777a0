/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_TYPES_H
#define SIM_TYPES_H
/*
 * Integer types in the kernel's spelling, and the unit of simulated time.
 *
 * Time is an integer count of picoseconds: no floating point ever decides an
 * order. 62 bits of it (53 days) are usable; see sim/tourney.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
__extension__ typedef unsigned __int128 u128;

typedef u64 ps_t;		/* picoseconds of simulated time */

#define PS_PER_NS	1000ull
#define PS_PER_US	1000000ull
#define PS_PER_MS	1000000000ull
#define PS_PER_S	1000000000000ull
#define PS_NEVER	(~0ull >> 2)	/* later than any event */

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#endif
