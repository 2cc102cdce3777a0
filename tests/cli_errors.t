#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Bad input: one line on standard error that tells where, what, and what was
# expected; the right exit status; nothing on standard output; nothing stored.
. "$top_srcdir/tests/tap.sh"
v=vmapsim-debug
cd "$TEST_TMPDIR" || exit 1

# bad STATUS BASIC-REGEX ARGUMENT ...
bad()
{
	bad_status=$1
	bad_regex=$2
	shift 2
	$v "$@" >out 2>err
	bad_found=$?
	is "status of: $*" "$bad_found" "$bad_status"
	is "... one line, no output" "$(wc -l <err) $(wc -c <out)" "1 0"
	like "... which says why" "$(cat err)" "$bad_regex"
}

# --- keys and values --------------------------------------------------------
bad 2 '^--set:1:1: found unknown key "nr_thread", .*; nearest: nr_threads$' \
	run --set nr_thread=8
bad 2 '^--set:2:14: latency\.smt: found "7" without a unit, .*ns' \
	run --set seed=1 --set latency.smt=7
bad 2 '^--set:1:8: design: found "glbal", expected .*; nearest: global$' \
	run --set design=glbal
bad 2 '^--set:1:9: machine: found "threadriper.*nearest: threadripper-3970x$' \
	run --set machine=threadriper-3970x
bad 2 '^--set:1:12: nr_threads: found "0", expected from 1 to 65536$' \
	run --set nr_threads=0
bad 2 '^--set:1:12: nr_threads: found "1e9", expected from 1 to 65536$' \
	run --set nr_threads=1e9
bad 2 '^--set:1:12: nr_threads: found the list "1\.\.8".*vmapsim sweep$' \
	run --set nr_threads=1..8
bad 2 'lists are for vmapsim sweep$' run --set design=global,zone
bad 2 '^--set:2:1: found duration beside loops' \
	run --set loops=5 --set duration=1ms
bad 2 '^--set:1:1: found key "lockloop.hold" of workload lockloop' \
	run --set lockloop.hold=1us
bad 2 '^--set:1:16: nr_threads: found "0"' sweep --set nr_threads=4,2,0
bad 2 'found more than 1000000 combinations' \
	sweep --set seed=1..1001 --set nr_threads=1..1000
bad 2 '^--seed:1:1: seed: found "x"' run --seed x
bad 2 '^argument:2:1: design: found "zon",.*nearest: zone$' compare global zon

# --- .job files -------------------------------------------------------------
bad 2 '^nowhere.job: No such file' run nowhere.job
printf '[x]\nnr_threads = 8\nloop = 5\n' >x.job
bad 2 '^x.job:3:1: found unknown key "loop", .*nearest: loops$' run x.job
printf 'nr_threads = 8\n' >x.job
bad 2 '^x.job:1:1: found key "nr_threads" outside a section' run x.job
printf '[x]\nseed = 1\nseed = 2\n' >x.job
bad 2 '^x.job:3:1: found key "seed" again' run x.job
printf '[x]\nvmap.lazy_max = 5 parsecs\n' >x.job
bad 2 '^x.job:2:1[0-9]: vmap.lazy_max: found "parsecs"' run x.job
printf '[a]\n[b]\n' >x.job
bad 2 '^vmapsim: x.job: found 2 sections, .*--section' run x.job
bad 2 'found "c", expected a section of x.job' sweep x.job --section c
printf '[x]\nlatency.smt = \000\n' >x.job
bad 2 '^x.job:2:15: found a NUL byte' run x.job

# --- usage ------------------------------------------------------------------
bad 2 'found command "rum", .*; nearest: run$' rum
bad 2 '--set: found "x", expected key=value$' run --set x
bad 2 '--format: found "xml"' list designs --format xml
bad 2 '--jobs: found "0"' sweep -j 0
bad 2 '--db: found no name' run --db=
bad 2 '--output: found no name' run --output=
bad 2 'found nothing to sweep' sweep
bad 2 'found 1 to compare' compare global
bad 2 'found "desings", .*; nearest: designs$' list desings
bad 2 'found "glbal", .*; nearest: global$' list designs glbal
bad 2 'found case "queuing", .*; nearest: queueing$' validate queuing
bad 2 'found query "fastst", .*; nearest: fastest$' query fastst
bad 2 '--metric: found "pair_n", .*; nearest: pair_ns$' compare a b -m pair_n
for command in replay report repeat machine sensitivity optimize; do
	bad 2 "^vmapsim: $command is not there yet\$" $command
done

$v >out 2>err
is "no arguments: status" "$?" 2
is "... nothing on standard output" "$(cat out)" ""
like "... usage on standard error" "$(cat err)" '^Usage: '
$v run --bogus >out 2>err
is "unknown option: status" "$?" 2
like "... is named" "$(cat err)" "unrecognized option '--bogus'"

# --- databases --------------------------------------------------------------
few="--set loops=20 --set replications=1"
echo "this is no database, but long enough to be taken for one" >text.db
bad 2 '^vmapsim: text.db: not a database of vmapsim' run $few --db text.db
bad 2 '^vmapsim: text.db: not a database of vmapsim' query fastest --db text.db
if command -v sqlite3 >/dev/null; then
	sqlite3 other.db 'create table t (x)'
	bad 2 '^vmapsim: other.db: a database of another program' \
		run $few --db other.db
fi
bad 2 '^vmapsim: none.db: No such file' query fastest --db none.db
bad 1 '^vmapsim: ' run $few --db text.db/results.db
if [ -d /proc/self ]; then	# a folder that root cannot write to either
	bad 1 '^vmapsim: /proc/' run $few --db /proc/self/results.db
	bad 1 '^vmapsim: /proc/' run $few --output /proc/self/x
	bad 1 '^vmapsim: /proc/' sweep $few --db /proc/self/results.db
	bad 1 '^vmapsim: /proc/' compare global zone $few \
		--db /proc/self/results.db
fi
# A file beyond the limit of its size is an error, not the end by a signal.
(ulimit -f 8; $v run $few --db large.db) >out 2>err
is "a database that cannot grow: status" "$?" 1
is "... one line, no output" "$(wc -l <err) $(wc -c <out)" "1 0"
like "... which names it" "$(cat err)" '^vmapsim: large.db: '
bad 2 'a folder, expected a database' run $few --db "$TEST_TMPDIR"
is "a foreign file is left as it was" "$(cat text.db)" \
	"this is no database, but long enough to be taken for one"
$v run $few -q >out 2>err
is "a run is stored" "$? $($v query 'SELECT count(*) AS n FROM run' \
	--format tsv | tail -n 1)" "0 1"
bad 2 '^vmapsim: query:1:1: near "selct"' query 'selct 1'
bad 2 '^vmapsim: query:1:1: DELETE is refused' query 'DELETE FROM run'
bad 1 '^vmapsim: nodir/x: No such file' run $few -o nodir/x
done_testing
