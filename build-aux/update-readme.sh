#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# usage: update-readme.sh [--build DIR] [--output FILE] [CLASS ...]
# Fills in the outputs of commands in README.md. A block there is
#
#	<!-- CLASS: COMMAND -->
#	... what this script puts here: the command, its output, its status ...
#	<!-- end -->
#
# CLASS is `output` (at once; standard error is shown, too), `demo` (simulates
# for a while) or `check` (runs all tests); only blocks of the named classes are
# made anew, of all three by default. The commands run as a reader would run
# them, in a fresh copy of the tree with a build and a database of its own; with
# --build they run beside that build instead. The block of ```ini is there as
# lazy-limit.job. The chart of the class demo goes to doc/seed002.svg.
# --output: a file to write instead of README.md; the chart stays then.
set -eu

src=$(cd "$(dirname "$0")/.." && pwd)
readme=$src/README.md
build='' output='' classes=''
while [ $# -gt 0 ]; do
	case $1 in
	--build) build=$(cd "$2" && pwd); shift 2 ;;
	--output) output=$2; shift 2 ;;
	output | demo | check) classes="$classes $1"; shift ;;
	*) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;;
	esac
done
classes="${classes:- output demo check} "

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
unset VMAPSIM_DB VMAPSIM_DATADIR MAKEFLAGS MFLAGS MAKELEVEL
LC_ALL=C NO_COLOR=1
export LC_ALL NO_COLOR
mkdir "$tmp/tree"

if [ "$build" ]; then
	ln -s "$build" "$tmp/tree/build"
	ln -s "$src/bootstrap" "$src/workloads" "$tmp/tree"
else
	# A git tree's files as they are now; those of a release are few.
	(cd "$src" && { git ls-files 2>/dev/null | grep . ||
		find . -path ./build -prune -o -type f -print; }) >"$tmp/files"
	(cd "$src" && tar -cf - -T "$tmp/files") | tar -xf - -C "$tmp/tree"
	"$tmp/tree/bootstrap" build >"$tmp/log" 2>&1 || {
		cat "$tmp/log" >&2
		exit 1
	}
fi

# The example of a question is a file that the commands may name.
sed -n '/^```ini/,/^```/p' "$readme" | grep -v '^```' \
	>"$tmp/tree/lazy-limit.job" || true

# block CLASS COMMAND: runs it, prints what belongs between the marks. Left out
# are make's lines, of which a run has more or fewer.
block()
{
	status=0
	(cd "$tmp/tree" && sh -c "$2") >"$tmp/out" 2>"$tmp/err" </dev/null ||
		status=$?
	# A tail of the tests' output has a status of its own.
	[ "$1" != check ] || grep -q '^[1-9][0-9]* passed, 0 failed$' \
		"$tmp/out" || status=1
	case $status in
	0 | 2 | 3) ;;
	*)
		cat "$tmp/out" "$tmp/err" >&2
		echo "update-readme.sh: status $status of: $2" >&2
		return 1
		;;
	esac
	printf '```console\n$ %s\n' "$2"
	sed -e '/^make/d' -e '/^  [A-Z]\{2,\} /d' "$tmp/out"
	[ "$1" != output ] || cat "$tmp/err"
	[ $status -eq 0 ] || printf '$ echo $?\n%s\n' $status
	printf '```\n'
}

# fill CLASS: README.md from standard input with new blocks of this class
fill()
{
	old=
	while IFS= read -r line; do
		case $line in
		'<!-- end -->') old= ;;
		esac
		[ "$old" ] || printf '%s\n' "$line"
		case $line in
		"<!-- $1: "*' -->')
			command=${line#*: }
			block "$1" "${command% -->}" || return
			old=yes
			;;
		esac
	done
}

# One class after the other: the tests, which read README.md, come last.
cp "$readme" "$tmp/README.md"
for class in output demo check; do
	case $classes in
	*" $class "*)
		fill $class <"$tmp/README.md" >"$tmp/new"
		mv "$tmp/new" "$tmp/README.md"
		cp "$tmp/README.md" "$tmp/tree"
		;;
	esac
done
if [ "$output" ]; then
	cat "$tmp/README.md" >"$output"
	exit
fi
cat "$tmp/README.md" >"$readme"
case $classes in
*" demo "*)
	mkdir -p "$src/doc"
	cat "$tmp/tree/results/scaling.svg" >"$src/doc/seed002.svg"
	;;
esac
