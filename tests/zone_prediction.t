#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Design `zone` is predicted from rows of `global` and one of its own: jobs
# 2..32 of the published table within 12% in the mean and 25% each, under each
# of ten seeds; and the shape comes from the mechanism: served in arrival
# order, or with a line for each counter, the same machine file misses.
. "$top_srcdir/tests/tap.sh"
cd "$TEST_TMPDIR" || exit 1
published=$top_srcdir/results/published/seed-v1-jobs.csv

# errors KEY=VALUE ...: "mean worst" of the prediction, a line a seed
errors()
{
	for setting in "$@"; do
		set -- "$@" --set "$setting"
		shift
	done
	vmapsim sweep -q --db errors.db --set design=zone \
		--set nr_threads=2..32 --set loops=1000 \
		--set replications=1 "$@" --json >runs.json || return
	jq -r '.runs[] | [.params.seed, .params.nr_threads,
		.metrics.pair_ns.mean] | @tsv' runs.json >runs.tsv
	awk -F '[,\t]' '
	NR == FNR { if (FNR > 1) usec[$1] = $3; next }
	{
		error = ($3 / 1000 / usec[$2] - 1) * 100
		if (error < 0) error = -error
		sum[$1] += error; nr[$1]++
		if (error > worst[$1]) worst[$1] = error
	}
	END {
		for (seed in nr)
			printf "%.2f %.2f %d\n", sum[seed] / nr[seed],
				worst[seed], nr[seed]
	}' "$published" runs.tsv
}

within()
{
	awk '{ if ($1 > 12 || $2 > 25 || $3 != 31) exit 1; n++ }
	END { exit !n }' "$1"
}

errors seed=1,2,3,4,5,6,7,8,9,10 >ten
is "ten seeds were simulated" "$(wc -l <ten)" 10
ok "each predicts the published rows" within ten
sed 's/^/# mean, worst, rows: /' ten

errors latency.arbitration=arrival >arrival
not_ok "in arrival order it misses" within arrival
sed 's/^/# mean, worst, rows: /' arrival
errors layout.counters=apart >apart
not_ok "with a line for each counter it misses" within apart
sed 's/^/# mean, worst, rows: /' apart
done_testing
