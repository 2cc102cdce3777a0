#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Are the rules kept that a script can check (build-aux/check-style.sh)?
. "$top_srcdir/tests/tap.sh"
check="$top_srcdir/build-aux/check-style.sh"
copy=$TEST_TMPDIR/copy
file=$copy/sim/version.c

fresh_copy()
{
	rm -rf "$copy"
	mkdir -p "$copy/sim" &&
	cp "$top_srcdir/sim/version.c" "$copy/sim" && chmod u+w "$file"
}

# caught DESCRIPTION REGEX: the change made to the copy is reported
caught()
{
	like "$1" "$(sh "$check" "$copy")" "^sim/version.c:[0-9]*: $2"
	not_ok "... and the status says so" quiet sh "$check" "$copy"
	fresh_copy
}

found=$(sh "$check" "$top_srcdir" 2>/dev/null)
is "the tree keeps the rules" "$found" ""

fresh_copy
ok "a clean copy passes" sh "$check" "$copy" 2>/dev/null
mkdir -p "$copy/results" && echo "plot x" >"$copy/results/scaling.gp"
ok "... with a figure that was drawn in it" sh "$check" "$copy" 2>/dev/null

sed -i 1d "$file"
caught "no licence line" "no SPDX"
sed -i '1s,.*,// SPDX-License-Identifier: GPL-3.0-or-later,' "$file"
caught "a licence line of another shape" "SPDX line of another"
printf '/*%95s*/\n' x >>"$file"
ok "99 columns are allowed" sh "$check" "$copy" 2>/dev/null
printf '\t/*%89s*/\n' x >>"$file"
caught "101 columns, a tab counting 8" "line over 100"
printf 'int a; \n' >>"$file"
caught "a blank at the end of a line" "blanks at the end"
printf '/* \303\244 */\n' >>"$file"
caught "a letter that is not ASCII" "a character"
printf '/* /%s/me */\n' home >>"$file"
caught "somebody's home" "a path of one machine"
printf '/* see ../%s/x */\n' shared >>"$file"
caught "a file outside the tree" "a file outside"
printf '/* see nowhere.%s */\n' md >>"$file"
caught "a text that is not there" "names nowhere"

cp "$top_srcdir/sim/local.mk" "$copy/sim"
chmod u+w "$copy/sim/local.mk"
head -n 1 "$copy/sim/local.mk" >"$copy/Makefile.am"
ok "a file that a fragment names" sh "$check" "$copy" 2>/dev/null
sed -i '/version\.c/d' "$copy/sim/local.mk"
caught "a file that no fragment names" "is in no local.mk"

# A function of exactly $1 lines.
long_function()
{
	printf 'int long_one(int a)\n{\n'
	awk -v nr="$(($1 - 4))" 'BEGIN { while (nr--) print "\ta++;" }'
	printf '\treturn a;\n}\n'
}

if ctags --version 2>/dev/null | grep -q 'Universal Ctags'; then
	long_function 70 >>"$file"
	ok "70 lines of function are allowed" sh "$check" "$copy"
	fresh_copy
	long_function 71 >>"$file"
	caught "a function of 71 lines" "long_one() has 71"
else
	echo "# no universal-ctags: length of functions not checked"
fi
done_testing
