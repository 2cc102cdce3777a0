#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Figures: table, script and pictures from a database, and what is said when
# one of them cannot be made.
. "$top_srcdir/tests/tap.sh"
cd "$TEST_TMPDIR" || exit 1

if ! command -v gnuplot >/dev/null 2>&1; then
	echo "ok 1 - figures # SKIP no gnuplot"
	echo "1..1"
	exit 0
fi

status "a database with two curves" 0 vmapsim-debug sweep -q --db a.db \
	--set design=global,zone --set nr_threads=1,2,4 --set loops=200 \
	--set replications=2
# runs that belong to another set must not get into the curves
status "and a run of another kind" 0 vmapsim-debug run -q --db a.db \
	--set nr_threads=3 --set loops=200 --set replications=2 --set seed=7

status "plot" 0 vmapsim-debug plot scaling --db a.db --output fig.svg
cp out ascii
for end in tsv gp svg png; do
	ok "fig.$end is there" test -s fig.$end
done
like "axes and legend in ASCII" "$(cat ascii)" "global simulated  A"
is "at most 78 columns" "$(awk 'length > 78' ascii)" ""
is "plain ASCII" "$(LC_ALL=C grep -c '[^ -~]' ascii)" 0

is "header of the table" "$(head -n 1 fig.tsv | tr '\t' ' ')" \
	"jobs published:global published:zone global global:ci95 zone zone:ci95"
is "a published point a row" "$(awk -F '\t' '$1 == 16 { print $2, $3 }' \
	fig.tsv)" "14.3687 3.0285"
is "nothing simulated where nothing was run" \
	"$(awk -F '\t' '$1 == 16 { print $4, $5 }' fig.tsv)" "- -"
is "the run with another seed is left out" \
	"$(awk -F '\t' '$1 == 3 { print $4 }' fig.tsv)" "-"
is "as the database has it" "$(awk -F '\t' '$1 == 4 { print $6 }' fig.tsv)" \
	"$(vmapsim-debug query --db a.db --format tsv "SELECT printf('%.6g',
	pair_ns / 1000) FROM run WHERE design = 'zone' AND nr_threads = 4" |
	tail -n 1)"

rm fig.svg
status "the script draws by itself" 0 gnuplot fig.gp
ok "what it says" test -s fig.svg
rm fig.png
status "another terminal" 0 gnuplot -e "terminal='png'" fig.gp
ok "is drawn too" test -s fig.png

status "values choose runs" 0 vmapsim-debug plot scaling --db a.db \
	--set seed=7 --output seven
is "these and no other" "$(awk -F '\t' '$4 != "-" { print $1 }' seven.tsv |
	tail -n +2)" 3

status "no run" 1 vmapsim-debug plot scaling --db a.db --set seed=8 \
	--output none
like "is said" "$(cat err)" "no finished run with these values"
not_ok "and leaves no file" test -e none.tsv
status "no folder" 1 vmapsim-debug plot scaling --db a.db \
	--output no/such/fig
like "is said, too" "$(cat err)" "no/such/fig.tsv: No such file"
status "no such figure" 2 vmapsim-debug plot scalin --db a.db
like "the nearest is named" "$(cat err)" "scaling"

status "no jitter, no figure of it" 1 vmapsim-debug plot regime --db a.db
like "how to make the runs" "$(cat err)" "sweep --set vmap.jitter="
status "runs with two jitters" 0 vmapsim-debug sweep -q --db r.db \
	--set design=global --set nr_threads=4 --set vmap.jitter=0%,10% \
	--set start=clustered,scattered --set loops=200 --set replications=2
status "the figure" 0 vmapsim-debug plot regime --db r.db --output r
is "a jitter a row" "$(cut -f 1 r.tsv | tr '\n' ' ')" "jitter_pct 0 10 "
is "a curve a start" "$(awk -F '\t' 'NR == 1 { print $2, $5 }' r.tsv)" \
	"global:clustered global:scattered"

vmapsim=$(command -v vmapsim-debug)
status "no gnuplot" 1 env PATH="$TEST_TMPDIR/nothing" "$vmapsim" \
	plot scaling --db a.db --output later
like "is said with its package" "$(cat err)" "Debian: gnuplot-nox"
ok "the table is there for another day" test -s later.tsv
done_testing
