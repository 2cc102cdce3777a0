#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# README.md: what it names is there, its commands are understood, and outputs
# that cost nothing are those of this program. (Others: make readme.)
. "$top_srcdir/tests/tap.sh"
readme=$top_srcdir/README.md
v=$top_builddir/vmapsim
cd "$TEST_TMPDIR" || exit 1

# --- blocks of output -------------------------------------------------------
sh "$top_srcdir/build-aux/update-readme.sh" --build "$top_builddir" \
	--output filled output
is "outputs are those of this program" "$(diff "$readme" filled 2>&1)" ""
is "at most 78 columns in blocks" \
	"$(awk '/^```/ { block = !block } block && length > 78 &&
		!/^\$ /' "$readme")" ""
is "each block has an end and something in it" "$(awk '
	/^<!-- [a-z]+: / { if (open) print "no end: " open; open = $0; next }
	/^<!-- end -->$/ { if (!full) print "empty: " open; open = full = "" }
	open { full = 1 }
	END { if (open) print "no end: " open }' "$readme")" ""

# --- commands ---------------------------------------------------------------
# All command lines: of blocks, without what they are piped into, and `...`.
{
	sed -n 's/^<!-- [a-z]*: \(.*\) -->$/\1/p' "$readme"
	sed -n '/^```sh/,/^```/p' "$readme" | grep -v '^```'
	grep -v '^<!--\|^\$' "$readme" | grep -o '`[^`]*`' | tr -d '`'
} | sed 's/ *|.*//; s/  *#.*//' | sort -u >commands

# understood COMMAND: vmapsim takes it. Nothing is simulated.
understood()
{
	case $1 in
	*=zon) return 0 ;;			# the example of bad input
	*COMMAND* | *lazy-limit.job*) return 0 ;;
	"vmapsim run "*) set -- "$1 --showjob" ;;
	"vmapsim compare "* | "vmapsim sweep "*) set -- "$1 --dry-run" ;;
	"vmapsim list "* | "vmapsim help "*) ;;
	*) set -- "$1 --help" ;;
	esac
	(cd "$top_srcdir" && sh -c "PATH=$top_builddir:\$PATH; $1" \
		>/dev/null 2>"$TEST_TMPDIR/err")
}
sed -n 's/^build\/vmapsim /vmapsim /; /^vmapsim [^(]/p' commands | sort -u >own
ok "there are commands" test "$(wc -l <own)" -gt 5
while read -r command; do
	ok "$command" understood "$command" </dev/null
done <own
for command in $(sed -n 's/^vmapsim \([a-z]*\).*/\1/p' own | sort -u); do
	ok "vmapsim $command is there" quiet "$v" help "$command"
done
for case in $(sed -n 's/^vmapsim validate \(--quick \)*//p' own); do
	ok "case $case" quiet "$v" list cases "$case"
done
sed -n '/^```ini/,/^```/p' "$readme" | grep -v '^```' >lazy-limit.job
ok "the question is a job" quiet "$v" sweep --dry-run lazy-limit.job
for target in $(sed -n 's/^\.\/bootstrap \([a-z]*\).*/\1/p' commands); do
	like "bootstrap $target" "$(sh "$top_srcdir/bootstrap" --help)" \
		"^  $target "
done
for target in $(sed -n 's/^make \([a-z]*\).*/\1/p' commands); do
	ok "make $target" grep -q "^$target:" "$top_builddir/Makefile"
done

# --- files ------------------------------------------------------------------
{
	grep -v '^[<$]' "$readme" | grep -o '`[A-Za-z0-9_./-]*`' | tr -d '`' |
		grep '[a-z]/\|.\.[a-z]*$\|^COPYING$' |
		grep -v '^results/results\.db$\|NAME'
	sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$readme"
} | sort -u >files
ok "there are files" test "$(wc -l <files)" -gt 10
while read -r file; do
	ok "$file" test -e "$top_srcdir/$file"
done <files

# --- lists ------------------------------------------------------------------
# table HEADING: names in the first column of the table with that heading
table()
{
	sed -n "/^| $1 |/,/^\$/s/^| \`\([^\`]*\)\`.*/\1/p" "$readme"
}
for kind in design lock; do
	is "${kind}s" "$(table $kind)" "$("$v" list ${kind}s --names)"
done
# shellcheck disable=SC2046
is "packages are those of bootstrap" \
	"$(sed -n '/^| for | Debian/,/^$/s/^| [bct][a-z]* | \(.*\) |$/\1/p' "$readme" |
		tr ' ' '\n' | sort)" \
	"$(eval "$(sed -n '/^packages_.*="[^"]*"$/p
		/^packages_.*="[^"]*$/,/"$/p' "$top_srcdir/bootstrap")"
		printf '%s\n' $packages_build $packages_run $packages_test | sort)"
is "man pages" "$(for page in $(grep -o 'vmapsim[a-z-]*([15])' "$readme" |
		sort -u); do
		file=${page%(*}.${page#*(}
		test -f "$top_srcdir/man/${file%)}" || echo "$page"
	done)" ""
done_testing
