# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes a C file with schema.sql and the named queries as strings, for
# results/embed.h. Arguments: the .sql files; schema.sql in any place.
#
# No gsub: what a backslash means in its replacement differs between awks.

function quoted(line,	i, c, out)
{
	out = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (c == "\\" || c == "\"")
			out = out "\\" c
		else if (c == "\t")
			out = out "\\t"
		else
			out = out c
	}
	return "\t\"" out "\\n\""
}

function stem(path)
{
	sub(/^.*\//, "", path)
	sub(/\.sql$/, "", path)
	return path
}

BEGIN {
	print "/* Made by results/embed.awk from *.sql: do not edit. */"
	print "#include \"results/embed.h\""
}

FNR == 1 {
	if (open_text)
		print "\t;"
	open_text = 1
	name = stem(FILENAME)
	if (name == "schema")
		print "\nconst char schema_sql[] ="
	else {
		nr++
		names[nr] = name
		print "\nstatic const char query_" nr "[] ="
	}
}

{ print quoted($0) }

END {
	if (open_text)
		print "\t;"
	print "\nconst struct embedded_query embedded_queries[] = {"
	for (i = 1; i <= nr; i++)
		print "\t{ \"" names[i] "\", query_" i " },"
	print "\t{ 0, 0 }\n};"
}
