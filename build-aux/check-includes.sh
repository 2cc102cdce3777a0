#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check-includes.sh ROOT: includes go one way between the rooms,
#	cli -> study -> workloads -> models -> sim
#	study, cli, plots -> results -> sim
# and are written from the root. Prints each one that does not; status 1 if any.
root=${1:?root}
here=$(dirname "$0")
files=$(sh "$here/sources.sh" "$root" | grep '\.\([chS]\|def\)$')
cd "$root" || exit 2
# shellcheck disable=SC2086
awk '
BEGIN {
	may["sim"] = " sim "
	may["models"] = " models sim "
	may["workloads"] = " workloads models sim "
	may["results"] = " results sim "
	may["study"] = " study workloads models results sim "
	may["cli"] = " cli plots study workloads models results sim "
	may["plots"] = " plots results sim "
	may["bench"] = " bench cli study workloads models results sim "
	may["tests"] = " tests bench cli study workloads models results sim "
}
function bad(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what
	status = 1
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quoted, "\"")
	room = FILENAME
	sub(/\/.*/, "", room)
	target = quoted[2]
	if (!sub(/\/.*/, "", target) || target == ".." || target == ".")
		bad("include \"" quoted[2] "\" is not written from the root")
	else if (!(room in may))
		bad("a source file in no known room")
	else if (!index(may[room], " " target " "))
		bad(room "/ includes " target "/, it may only include" may[room])
}
END { exit status }' $files
