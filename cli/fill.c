/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text filled into lines, for people. */
#include <stdlib.h>
#include <string.h>

#include "cli/fill.h"
#include "results/table.h"

#define BROKEN_LINE 50		/* a line this long was broken by its author */

/* A copy with blanks for the ends of such lines; NULL: no memory. */
static char *joined(const char *text)
{
	char *copy = strdup(text);
	size_t start = 0;	/* of the line as its author had it */

	for (size_t i = 0; copy && copy[i]; i++) {
		if (copy[i] != '\n')
			continue;
		if (i - start > BROKEN_LINE && copy[i + 1] &&
		    copy[i + 1] != ' ' && copy[i + 1] != '\n')
			copy[i] = ' ';
		start = i + 1;
	}
	return copy;
}

/* How much of a word that has no blank fits: up to a comma if it has one. */
static int part_of(const char *word, int room)
{
	for (int i = room; i > 0; i--)
		if (word[i - 1] == ',' || word[i - 1] == ';')
			return i;
	return room;
}

/* One line of text, which has no newline; returns what is behind it. */
static const char *put_line(FILE *out, const char *text, int col, int indent)
{
	int at = indent + (int)strspn(text, " ");
	bool first = true;

	text += at - indent;
	if (*text && *text != '\n' && col < at)
		col += fprintf(out, "%*s", at - col, "");
	while (*text && *text != '\n') {
		int word = (int)strcspn(text, " \n");

		if (word > TABLE_WIDTH_MAX - at)
			word = part_of(text, TABLE_WIDTH_MAX - at);
		if (!first && col + 1 + word > TABLE_WIDTH_MAX)
			col = fprintf(out, "\n%*s", at, "") - 1;
		else if (!first)
			col += fprintf(out, " ");
		col += fprintf(out, "%.*s", word, text);
		first = false;
		text += word;
		text += strspn(text, " ");
	}
	putc('\n', out);
	return text + (*text == '\n');
}

void fill_text(FILE *out, const char *text, int col, int indent)
{
	char *copy = joined(text);
	const char *p = copy ? copy : text;

	if (!*p && col)		/* nothing to add to the line begun */
		putc('\n', out);
	while (*p) {
		p = put_line(out, p, col, indent);
		col = 0;
	}
	free(copy);
}

void fill_lines(FILE *out, const char *text, int indent)
{
	while (*text)
		text = put_line(out, text, 0, indent);
}
