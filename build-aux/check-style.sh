#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-style.sh ROOT: what can be checked of CONTRIBUTING.md without judgement.
# Prints file:line: what; status 1 if there was anything.
root=${1:?root}
here=$(dirname "$0")
LC_ALL=C
export LC_ALL
all=$(sh "$here/sources.sh" "$root")
cd "$root" || exit 2
result=0

# Texts that sources may mention: all the tree has.
texts=$(find . -name .git -prune -o -name '*.md' -print | sed 's,.*/,,' |
	tr '\n' ' ')

# shellcheck disable=SC2086
awk -v texts=" $texts" '
function bad(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what
	status = 1
}
function columns(line,	piece, n, i, col) {
	n = split(line, piece, "\t")
	for (i = 1; i < n; i++) {
		col += length(piece[i])
		col += 8 - col % 8
	}
	return col + length(piece[n])
}
FNR == 1 { shebang = /^#!/; c_like = FILENAME ~ /\.([ch]|def)$/ }
FNR == 1 + shebang {
	if (FILENAME ~ /^results\/queries\//)
		;	# begins with what `list queries` shows
	else if (!/SPDX-License-Identifier: GPL-3\.0-or-later/)
		bad("no SPDX line at the top")
	else if (c_like && !/^\/\* SPDX-License-Identifier: [^ ]+ \*\/$/)
		bad("SPDX line of another shape than in other files")
}
length($0) > 12 && columns($0) > 100 { bad("line over 100 columns") }
/[ \t]$/ { bad("blanks at the end of the line") }
/[^\t\040-\176]/ { bad("a character that is not ASCII") }
/\/(home|root|wor[k])\// { bad("a path of one machine") }
/(\.\.|wor[k])\/share[d]|\/share[d]\// { bad("a file outside the project") }
/[A-Za-z0-9_]\.md([^A-Za-z0-9_]|$)/ {
	line = $0
	while (match(line, /[A-Za-z0-9_-]+\.md/)) {
		name = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		if (line !~ /^[A-Za-z0-9_]/ && !index(texts, " " name " "))
			bad("names " name ", which is not in the tree")
	}
}
END { exit status }' $all || result=1

# What no fragment names is neither built nor in the tarball.
if [ -f Makefile.am ]; then
	fragments=$(find . -name local.mk -exec cat {} +; cat Makefile.am)
	for file in $all; do
		case $file in
		configure.ac | Makefile.am | */local.mk | *.t) continue;;
		esac
		echo "$fragments" | grep -qwF -- "$file" || {
			echo "$file:1: is in no local.mk"
			result=1
		}
	done
fi

c_files=$(echo "$all" | grep '\.[ch]$')
if ctags --version 2>/dev/null | grep -q 'Universal Ctags'; then
	# shellcheck disable=SC2086
	ctags -f - --fields=+ne --kinds-C=f --languages=C --langmap=C:.c.h \
		$c_files | awk -F '\t' '
	/^!/ { next }
	{
		line = end = 0
		for (i = 4; i <= NF; i++) {
			if ($i ~ /^line:/) line = substr($i, 6)
			if ($i ~ /^end:/) end = substr($i, 5)
		}
		if (end - line + 1 > 70) {
			printf "%s:%d: %s() has %d lines, at most 70\n",
				$2, line, $1, end - line + 1
			status = 1
		}
	}
	END { exit status }' || result=1
else
	echo "note: no universal-ctags, length of functions not checked" >&2
fi
exit $result
