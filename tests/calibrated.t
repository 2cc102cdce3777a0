#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The shipped machine file is what `vmapsim calibrate` writes, byte for byte.
. "$top_srcdir/tests/tap.sh"
cd "$TEST_TMPDIR" || exit 1
shipped=$top_srcdir/models/machines/threadripper-3970x.machine

quiet vmapsim calibrate --machine threadripper-3970x \
	--from "$top_srcdir/results/published/seed-v1-jobs.csv" \
	--output fitted.machine
ok "threadripper-3970x.machine is what calibrate writes" \
	cmp fitted.machine "$shipped"
is "at most five of its values are fitted" \
	"$(awk '/fitted by/ { n++ } END { print (n > 0 && n <= 5) }' "$shipped")" 1
done_testing
