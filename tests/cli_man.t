#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the man pages tell of every command, option, kind and key, and of no other?
. "$top_srcdir/tests/tap.sh"
v=vmapsim-debug
man=$top_srcdir/man
cd "$TEST_TMPDIR" || exit 1

# Long options that a page has as entries.
page_options()
{
	sed -n '/^\.It Fl/s/ Fl -/\
-/gp' "$1" | sed -n 's/^-\([a-z-]*\).*/\1/p' | sort
}

# Completion is made from the table; a word that begins with a dash gets all.
$v complete -- --x | sed 's/^--//' | sort >common
page_options "$man/vmapsim.1" >found
is "vmapsim.1 has the options of all commands" "$(cat found)" "$(cat common)"

for command in $($v complete -- x | sort); do
	later=$($v --help | grep "^  $command .*(later)")
	page=$man/vmapsim-$command.1
	like "vmapsim.1 names $command" \
		"$(grep '^\.It Cm' "$man/vmapsim.1" | tr ' ,' '\n\n')" \
		"^$command\$"
	[ -z "$later" ] || continue
	$v complete -- $command --x | sed 's/^--//' | sort |
		comm -23 - common >own
	if [ -e "$page" ]; then
		page_options "$page" >found
	else
		: >found
	fi
	is "options of $command are in its page" "$(cat found)" "$(cat own)"
done

for page in "$man"/vmapsim-*.1; do
	command=${page##*/vmapsim-}
	ok "${page##*/} is a command's" sh -c \
		"$v complete -- x | grep -qx ${command%.1}"
done

is "vmapsim-list.1 has all kinds" \
	"$(sed -n '/^Kinds are/,/^\.El/s/^\.It Cm //p' "$man/vmapsim-list.1" |
		sort)" "$($v complete -- list x | sort)"

for key in $($v list params --names | grep -v '\.') lock.NAME; do
	# machine keys without a dot are told of in the list only
	[ "$key" = topology ] && continue
	like "vmapsim-job.5 has $key" \
		"$(tr -d ' ' <"$man/vmapsim-job.5" | sed 's/Ns//')" \
		"^\.ItCm$(echo "$key" | sed 's/NAME/ArNAME/')\$"
done

# --- the schema -------------------------------------------------------------
sed -n 's/^CREATE TABLE \([a-z_]*\).*/\1/p; s/^CREATE VIEW \([a-z_]*\).*/\1/p
	s/^	\([a-z_0-9]*\) \(TEXT\|INTEGER\|REAL\|BLOB\)\>.*/\1/p' \
	"$top_srcdir/results/schema.sql" | sort -u >schema
sed -n 's/^\.It Li //p; s/^\.Ss //p' "$man/vmapsim-db.5" | sort -u >found
is "vmapsim-db.5 has the tables and columns of the schema" "$(cat found)" \
	"$(cat schema)"
like "... and its version" "$(cat "$man/vmapsim-db.5")" "schema, $(sed -n \
	's/^PRAGMA user_version = \([0-9]*\).*/\1/p' \
	"$top_srcdir/results/schema.sql")\."

if command -v mandoc >/dev/null; then
	is "mandoc has nothing to say" \
		"$(mandoc -Tlint -W warning "$man"/*.[15] 2>&1)" ""
	for page in "$man"/*.[15]; do
		is "${page##*/} fits 78 columns" "$(mandoc -Tascii \
			-O width=78 "$page" | sed "s/.$(printf '\b')//g" |
			awk 'length > 78')" ""
	done
else
	echo "# no mandoc: pages not checked for syntax"
fi
done_testing
