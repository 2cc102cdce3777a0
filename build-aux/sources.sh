#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sources.sh ROOT: the project's own source files, one a line, relative to ROOT.
# Works without git, on an unpacked tarball too; leaves out what is generated and
# tests/data (real logs, kept as they came) and figures drawn in results/.
cd "${1:?root}" || exit 2
find . \( -name .git -o -name autom4te.cache -o -name build -o -name '_build' \
	-o -name '_inst' -o -path ./tests/data -o -path ./tests/scratch \
	-o -path './results/*.gp' \
	-o -name '.deps' -o -name 'vmapsim-[0-9]*' \) -prune -o -type f \
	\( -name '*.[chS]' -o -name '*.def' -o -name '*.sh' -o -name '*.t' \
	-o -name '*.mk' -o -name '*.am' -o -name '*.ac' -o -name '*.awk' \
	-o -name '*.gp' -o -name '*.sql' -o -name '*.[1-8]' \
	-o -path ./bootstrap -o -path ./.ci/run \) -print |
sed 's,^\./,,' | LC_ALL=C sort | while read -r file; do
	case $file in
	build-aux/tap-driver.sh) continue;;
	*.t)	# a compiled test of a build in the source tree
		head -c 2 "$file" | grep -q '^#!' || continue;;
	esac
	echo "$file"
done
