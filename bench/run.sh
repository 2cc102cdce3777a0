#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [PROGRAM]: how fast the simulator is on this host. Printed, never
# tested: the times are those of a clock on the wall.
#
# Per core: operations simulated in a second, start-up of the program included;
# one process, loops large enough for about a second. Instructions per pair
# are callgrind's, of the difference between a long and a short run, so that
# start-up and warm-up do not count. Demo: the main job from an empty database,
# on all CPUs.
set -eu
program=${1:-./vmapsim}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
export VMAPSIM_DB="$dir/results.db"

now_ms()
{
	echo $(($(date +%s%N) / 1000000))
}

# run JOBS LOOPS KEY=VALUE ...: two replications
run()
{
	jobs=$1
	loops=$2
	shift 2
	for assignment; do
		set -- "$@" --set "$assignment"
		shift
	done
	"$program" run -q --set machine=threadripper-3970x \
		--set nr_threads="$jobs" --set loops="$loops" \
		--set replications=2 "$@" >/dev/null
}

# rate NAME UNIT JOBS LOOPS KEY=VALUE ...
rate()
{
	name=$1
	unit=$2
	shift 2
	begin=$(now_ms)
	run "$@"
	ms=$(($(now_ms) - begin + 1))
	printf '%-8s %3d jobs %12d %s/s a core\n' "$name" "$1" \
		$((2 * $1 * $2 * 1000 / ms)) "$unit"
}

# instructions JOBS LOOPS DESIGN: executed by one such run, in all processes
instructions()
{
	rm -f "$VMAPSIM_DB"		# made anew each time, at the same cost
	valgrind --tool=callgrind --callgrind-out-file="$dir/callgrind" \
		"$program" run -q --set workload=pair --set design="$3" \
		--set machine=threadripper-3970x --set nr_threads="$1" \
		--set loops="$2" --set replications=1 --set warmup=100us \
		2>"$dir/log" >/dev/null
	awk '/Collected *:/ { sum += $NF } END { printf "%d\n", sum }' "$dir/log"
}

# per_pair JOBS DESIGN
per_pair()
{
	short=$((6000 / $1))
	long=$((12000 / $1))
	few=$(instructions "$1" $short "$2")
	many=$(instructions "$1" $long "$2")
	printf '%-8s %3d jobs %12d instructions a pair\n' "$2" "$1" \
		$(((many - few) / ($1 * (long - short))))
}

echo "vmapsim $("$program" --version)"
for design in global zone; do
	rate $design pairs 1 1000000 workload=pair design=$design
	rate $design pairs 2 200000 workload=pair design=$design
	rate $design pairs 8 100000 workload=pair design=$design
	rate $design pairs 32 20000 workload=pair design=$design
done
rate lockloop locks 2 1000000 workload=lockloop coherence=off
rate lockloop locks 64 50000 workload=lockloop coherence=off

if valgrind --version >/dev/null 2>&1; then
	for design in global zone; do
		for jobs in 1 8 32; do
			per_pair $jobs $design
		done
	done
else
	echo "no valgrind: instructions are not counted"
fi

begin=$(now_ms)
"$program" sweep -q "$(dirname "$0")/../workloads/seed002-pairs.job" >/dev/null
printf 'demo, 64 points %22d ms on %d CPUs\n' $(($(now_ms) - begin)) "$(nproc)"
