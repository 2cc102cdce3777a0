#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [PROGRAM]: how fast the simulator is on this host. Printed, never
# tested: the times are those of a clock on the wall.
#
# Per core: pairs of vmalloc and vfree simulated in a second, start-up of the
# program included; one process, loops large enough for some seconds. Demo: the
# main job from an empty database, on all CPUs.
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

# pairs JOBS LOOPS DESIGN
pairs()
{
	begin=$(now_ms)
	"$program" run -q --set workload=pair --set machine=threadripper-3970x \
		--set design="$3" --set nr_threads="$1" --set loops="$2" \
		--set replications=2 >/dev/null
	ms=$(($(now_ms) - begin + 1))
	printf '%-8s %3d jobs %12d pairs/s a core\n' "$3" "$1" \
		$((2 * $1 * $2 * 1000 / ms))
}

echo "vmapsim $("$program" --version)"
for design in global zone; do
	pairs 1 1000000 $design
	pairs 8 100000 $design
	pairs 32 20000 $design
done

begin=$(now_ms)
"$program" sweep -q "$(dirname "$0")/../workloads/seed002-pairs.job" >/dev/null
printf 'demo, 64 points %22d ms on %d CPUs\n' $(($(now_ms) - begin)) "$(nproc)"
