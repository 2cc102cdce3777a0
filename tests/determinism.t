#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The same run gives the same bytes: twice in a row, with and without checks,
# for any number of processes, for other compilers and optimisation levels.
. "$top_srcdir/tests/tap.sh"
cd "$TEST_TMPDIR" || exit 1

# All of them read the same machine, wherever they lie.
VMAPSIM_DATADIR=$TEST_TMPDIR/data
export VMAPSIM_DATADIR
mkdir data && ln -s "$top_srcdir/models/machines" data/machines || exit 1

# documents PROGRAM NAME: what it prints about some short runs, into NAME
documents()
{
	rm -f "$2.db"
	{
		for design in global zone; do
			"$1" run -q --json --db "$2.db" --set loops=40 \
				--set replications=2 --set nr_threads=32 \
				--set design=$design \
				--set "vmap.lazy_max=200 pages" || echo failed
		done
		for dist in exp erlang2 hyper2:0.1,5.5,0.5; do
			"$1" run -q --json --db "$2.db" --set loops=500 \
				--set replications=2 --set nr_threads=7 \
				--set workload=lockloop \
				--set lockloop.think_dist=$dist \
				--set lockloop.hold_dist=$dist || echo failed
		done
		"$1" sweep -q --json --db "$2.db" -j "${3:-1}" --set loops=30 \
			--set nr_threads=1,2,9 --set seed=3,4 \
			--set coherence=on,off --set ci=5% || echo failed
	} >"$2"
}

documents vmapsim first
is "five runs and a sweep" "$(grep -c '^{"schema"' first)" 6
is "... none of them failed" "$(grep -c '^failed' first)" 0
is "... of some size" "$(test "$(wc -c <first)" -gt 20000 && echo yes)" yes
documents vmapsim again
is "once more" "$(cmp first again 2>&1)" ""
documents vmapsim two 2
is "two processes" "$(cmp first two 2>&1)" ""
documents vmapsim-debug debug
is "with the checks of a debug build" "$(cmp first debug 2>&1)" ""

# The comparison can tell a difference.
vmapsim run -q --json --set loops=40 --set seed=2 >seed2
vmapsim run -q --json --set loops=40 --set seed=3 >seed3
not_ok "another seed gives other bytes" cmp -s seed2 seed3

# --- other compilers --------------------------------------------------------
# vmapsim itself is what configure has chosen: gcc -O2, if nobody said else.
unset MAKEFLAGS MFLAGS MAKELEVEL
for cc in "gcc -O0" "clang -O2"; do
	level=${cc#* }
	cc=${cc% *}
	if ! $cc --version >/dev/null 2>&1; then
		echo "# no $cc here: its bytes are not compared"
		continue
	fi
	program=$TEST_TMPDIR/vmapsim-$cc
	make -s -C "$top_builddir" other-vmapsim OTHER_CC="$cc" \
		OTHER_CFLAGS="$level" OTHER_PROGRAM="$program" >make.log 2>&1
	ok "$cc $level compiles" test -x "$program"
	[ -x "$program" ] || tail -n 20 make.log | sed 's/^/# /'
	documents "$program" "$cc"
	is "... and gives the same bytes" "$(cmp first "$cc" 2>&1)" ""
done
done_testing
