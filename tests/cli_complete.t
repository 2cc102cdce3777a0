#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion: the words that the program offers to the shells.
. "$top_srcdir/tests/tap.sh"
v=vmapsim-debug

# words ARGUMENT ...: candidates in one line
words()
{
	$v complete -- "$@" | tr '\n' ' '
}

like "commands" " $(words '')" ' run .*sweep .*query '
not_ok "... but not this one" sh -c "$v complete -- '' | grep -q complete"
like "options of a command" "$(words sweep --)" '--dry-run '
not_ok "... and of no other" sh -c "$v complete -- run -- | grep -q dry-run"
like "keys" "$(words run --set '')" 'nr_threads= '
is "formats" "$(words run --format '')" "table json csv tsv md "
like "kinds" "$(words list '')" '^designs '
like "names of a kind" " $(words list designs '')" ' global '
like "designs" " $(words compare '')" ' zone '
like "cases" " $(words validate '')" ' seed002-pairs '
is "files: nothing" "$(words run x)$(words query --db '')" ""
is "names, for scripts" "$($v list designs --names | head -n 1)" "global"

if command -v bash >/dev/null; then
	is "bash: an option" "$(bash -c '. "$1"
		complete_words() {
			COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
			_vmapsim 2>/dev/null
			echo "${COMPREPLY[@]}"
		}
		complete_words "$2" run --showj' x \
		"$top_srcdir/cli/completion/vmapsim" $v)" "--showjob"
else
	echo "# no bash: its completion is not checked"
fi
done_testing
