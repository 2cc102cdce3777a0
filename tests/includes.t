#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do the rooms depend on each other in one direction only?
. "$top_srcdir/tests/tap.sh"
check="$top_srcdir/build-aux/check-includes.sh"
copy=$TEST_TMPDIR/copy

# plant FILE INCLUDE: a copy of two rooms with one more include in FILE
plant()
{
	rm -rf "$copy"
	mkdir -p "$copy/models" "$copy/results" "$copy/study" "$copy/sim" &&
	cp "$top_srcdir"/sim/version.[ch] "$copy/sim" &&
	chmod -R u+w "$copy" &&
	if [ $# -gt 0 ]; then
		printf '#include "%s"\n' "$2" >>"$copy/$1"
	fi
}

found=$(sh "$check" "$top_srcdir" 2>&1)
is "includes of the tree go one way" "$found" ""

plant
ok "a clean copy passes" sh "$check" "$copy"
plant study/new.c models/vmap.h
ok "study may use models" sh "$check" "$copy"

while read -r file target; do
	plant "$file" "$target"
	like "$file must not include $target" "$(sh "$check" "$copy")" \
		"^$file:[0-9]*: "
	not_ok "... and the status says so" quiet sh "$check" "$copy"
done <<END
sim/version.c models/vmap.h
sim/version.h results/result.h
models/new.c results/result.h
models/new.h workloads/workload.h
results/new.c study/scenario.h
results/new.c models/vmap.h
study/new.c cli/cli.h
sim/version.c types.h
sim/version.c ../sim/types.h
END
done_testing
