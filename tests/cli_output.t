#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Output: one document, complete or not there at all, the same for any -j.
. "$top_srcdir/tests/tap.sh"
v=vmapsim-debug
cd "$TEST_TMPDIR" || exit 1
few="--set loops=50 --set replications=2"

# is_json FILE: exactly one JSON document?
is_json()
{
	awk '
	{ text = text $0 "\n" }
	END {
		depth = documents = 0
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			if (quoted) {
				if (c == "\\") i++
				else if (c == "\"") quoted = 0
			} else if (c == "\"") quoted = 1
			else if (c ~ /[[{]/) { if (!depth++) documents++ }
			else if (c ~ /[]}]/) depth--
			else if (!depth && c ~ /[^ \n]/) documents += 100
		}
		exit !(documents == 1 && !depth && !quoted)
	}' "$1"
}

# --- help -------------------------------------------------------------------
status "--help: status" 0 $v --help
like "... on standard output" "$(cat out)" '^Usage: '
is "... nothing on standard error" "$(cat err)" ""
for command in run sweep calibrate validate compare plot query list merge; do
	status "help $command" 0 $v help $command
	like "... is its --help" "$(cat out)" "^Usage: .*vmapsim.* $command "
done
is "help has at most 78 columns" \
	"$($v --help | awk 'length > 78'; $v help sweep | awk 'length > 78')" ""
like "--version" "$($v --version)" '[0-9]\.[0-9]'
status "version" 0 $v version

out=$($v list machines -v)
like "list -v: each cost of a machine on a line of its own" "$out" \
	'^    cost\.rmw = '
like "... a matrix broken at a comma" "$out" '^ *[0-9.,;]*[,;]$'
like "... a query's lines as they are" "$($v list queries knee)" \
	'^    WITH point AS ($'

# --- documents --------------------------------------------------------------
$v run $few --json >first 2>err
is "run --json: status" "$?" 0
ok "... is one document" is_json first
like "... of schema 1" "$(cat first)" '"schema": 1'
$v run $few --json >second 2>err
like "a second run warns that nothing was run" "$(cat err)" 'not run again'
ok "... and stays one document" is_json second
is "... the same one" "$(cat second)" "$(cat first)"
$v run $few --json -q >second 2>err
is "--quiet: no note" "$(cat err)" ""

status "run, a table" 0 $v run $few -q
like "... begins with the command line" "$(head -n 1 out)" \
	'^vmapsim run --set loops=50'
like "... has locks" "$(cat out)" ' contended total wait'
like "... and figures" "$(cat out)" '^pair  .* ns  +- '
is "... of at most 78 columns" "$(awk 'length > 78' out)" ""
is "... in ASCII" "$(LC_ALL=C grep -c '[^ -~]' out)" 0

sweep="sweep $few --set design=global,zone --set nr_threads=1,2,5"
$v $sweep --db j1.db -j 1 --json -q >j1
is "sweep -j 1" "$?" 0
$v $sweep --db j2.db -j 2 --json -q >j2
is "sweep -j 2 gives the same bytes" "$? $(cmp j1 j2 2>&1)" "0 "
is "... in the order of the plan" "$(tr ',' '\n' <j1 |
	sed -n 's/.*"nr_threads": \([0-9]*\).*/\1/p' | tr '\n' ' ')" \
	"1 2 5 1 2 5 "
$v $sweep --db j1.db >out 2>err
like "a second sweep runs nothing" "$(cat err)" ': 0 run, 6 found finished'
is "... its table has 78 columns" "$(awk 'length > 78' out)" ""
$v $sweep --set seed=1,2 --dry-run --format tsv --db j1.db >out
is "--dry-run counts" "$(tail -n 1 out)" "12	6	6"

for format in csv tsv md; do
	$v $sweep --db j1.db -q --format $format >out
	is "sweep as $format: status and lines" "$? $(wc -l <out)" \
		"0 $(test $format = md && echo 8 || echo 7)"
done

$v compare global zone $few --set nr_threads=1,2 --db j1.db -q >out
is "compare: status" "$?" 0
like "... Amean rows" "$(cat out)" '^Amean 2 .*%'
$v compare global zone $few --set nr_threads=5 --db j1.db -q --fail-on 3% >out
is "compare --fail-on: the zones are faster" "$?" 0
$v compare zone global $few --set nr_threads=5 --db j1.db -q --fail-on 3% >out
is "... the other way round" "$?" 3
$v compare 1 2 --db j1.db >out
is "compare of stored runs" "$?" 0

$v run $few --showjob --set design=zone >full.job
is "--showjob: status" "$?" 0
$v run full.job --showjob >again.job
is "... means the same run" "$? $(cmp full.job again.job 2>&1)" "0 "

for job in "$top_srcdir"/workloads/*.job; do
	status "${job##*/} can be planned" 0 $v sweep -n "$job" --db none.db
done
is "seed002-pairs.job is found by its name, and has 64 points" \
	"$($v sweep -n seed002-pairs.job --db none.db --format tsv |
	tail -n 1 | cut -f 1)" 64

# --- where it goes ----------------------------------------------------------
$v run $few -q --json --output file
is "--output: status" "$?" 0
is "... the same document" "$(cmp file first 2>&1)" ""
is "... nothing left beside it" "$(ls file.* 2>/dev/null)" ""
echo old >file
$v run --set loops=x --output file 2>/dev/null
is "an error leaves the old file" "$(cat file)" "old"
if [ -c /dev/full ]; then
	$v list params >/dev/full 2>err
	is "/dev/full: status" "$?" 1
	like "... one line" "$(cat err)" '^vmapsim: standard output: '
	is "... and no more" "$(wc -l <err)" 1
	$v sweep $few -q --set nr_threads=1,2 >/dev/full 2>err
	is "/dev/full, sweep: one line" "$(cat err)" \
		"vmapsim: standard output: write error"
	$v --help >/dev/full 2>err
	is "/dev/full, --help: status" "$?" 1
	$v run $few -q --output /dev/full 2>err
	is "/dev/full, --output: status" "$?" 1
fi
$v version >&- 2>err
is "closed standard output: status" "$?" 1
mkfifo pipe
: <pipe &		# a reader that comes and goes
exec 4>pipe
wait $!
$v list params >&4 2>err
is "closed pipe: status" "$?" 1
exec 4>&-

# --- interrupted ------------------------------------------------------------
# After one point is stored; the others, all begun at once, take minutes.
printf '[s]\nloops = 20\nreplications = 1\n' >s.job
printf '[t]\nloops = 100000000\nnr_threads = 1..8\n' >>s.job
for signal in INT TERM; do
	db=$signal.db
	$v sweep s.job -j 9 --db $db >out 2>err &
	pid=$!
	nr=0
	while [ $nr -lt 300 ] && [ "$($v query 'SELECT count(*) AS n FROM run' \
		--db $db --format tsv 2>/dev/null | tail -n 1)" != 1 ]; do
		nr=$((nr + 1))
		sleep 0.1
	done
	kill -$signal $pid
	wait $pid
	is "SIG$signal: status" "$?" "$(test $signal = INT && echo 130 ||
		echo 143)"
	like "... is told" "$(cat err)" 'interrupted; 9 points: 1 run'
	is "... the finished run is kept" "$($v query --format tsv --db $db \
		'SELECT count(*), state FROM run GROUP BY state' |
		tail -n 1)" "1	done"
	is "... no half document" "$(cat out)" ""
done
done_testing
