# SPDX-License-Identifier: GPL-3.0-or-later
# Test Anything Protocol for shell tests: . "$top_srcdir/tests/tap.sh"
# The environment (top_srcdir, TEST_TMPDIR, ...) is set in tests/local.mk.

tap_nr=0
tap_failed=0

# ok DESCRIPTION COMMAND [ARGUMENT ...]: the command's status is the verdict.
ok()
{
	tap_nr=$((tap_nr + 1))
	tap_what=$1
	shift
	if "$@"; then
		echo "ok $tap_nr - $tap_what"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_nr - $tap_what"
		echo "# failed: $*" | head -n 3
	fi
}

# not_ok DESCRIPTION COMMAND ...: the command has to fail.
not_ok()
{
	tap_not_what=$1
	shift
	ok "$tap_not_what" tap_fails "$@"
}

tap_fails()
{
	if "$@"; then
		return 1
	fi
}

# quiet COMMAND ...: without its output; for ok and not_ok, whose own must stay
quiet()
{
	"$@" >/dev/null 2>&1
}

# is DESCRIPTION FOUND EXPECTED
is()
{
	tap_nr=$((tap_nr + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $tap_nr - $1"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_nr - $1"
		printf '%s\n' "$2" | sed 's/^/#    found: /'
		printf '%s\n' "$3" | sed 's/^/# expected: /'
	fi
}

# like DESCRIPTION TEXT BASIC-REGEX: some line of the text matches.
like()
{
	tap_nr=$((tap_nr + 1))
	if printf '%s\n' "$2" | grep -q -e "$3"; then
		echo "ok $tap_nr - $1"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_nr - $1"
		printf '%s\n' "$2" | sed 's/^/#    found: /'
		echo "# expected: $3"
	fi
}

# status DESCRIPTION EXPECTED COMMAND ...: runs the command, output in the files
# $TEST_TMPDIR/out and $TEST_TMPDIR/err, and compares its exit status.
status()
{
	tap_status_what=$1
	tap_status=$2
	shift 2
	"$@" >"$TEST_TMPDIR/out" 2>"$TEST_TMPDIR/err"
	is "$tap_status_what" "$?" "$tap_status"
}

# Call it last: without a plan the harness reports an error.
done_testing()
{
	echo "1..$tap_nr"
	[ "$tap_failed" -eq 0 ]
}
