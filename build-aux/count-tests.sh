#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# count-tests.sh BUILD-DIR: reads the .trs files that `make check` left in
# BUILD-DIR/tests and prints `N passed, N failed`. Counts test points, not files;
# a program that dies, prints no plan, or stops short of it is one failure (the
# driver's ERROR), unless it has failed a point anyway: then its exit status only
# says that again. Status 0 if something passed and nothing failed.
cd "${1:?build dir}/tests" || exit 2
set -- *.trs
[ -e "$1" ] || set -- /dev/null
awk '
function file_ends() {
	failed += points ? points : errors
	points = errors = 0
}
FNR == 1 { file_ends() }
/^:test-result: (PASS|XFAIL)/ { passed++ }
/^:test-result: (FAIL|XPASS)/ { points++ }
/^:test-result: ERROR/ { errors++ }
END {
	file_ends()
	printf "%d passed, %d failed\n", passed, failed
	exit !(passed && !failed)
}' "$@"
