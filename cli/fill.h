/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_FILL_H
#define CLI_FILL_H
#include <stdio.h>

/*
 * Writes text in lines of at most 78 columns. col: where the cursor is in its
 * line; text begins at indent there, and so do further lines, deeper where the
 * text has blanks of its own. A line that its author broke for its length is
 * joined with the next one; any other end of line is kept. Ends the last line.
 */
void fill_text(FILE *out, const char *text, int col, int indent);
/* The same for text that is no prose: its lines are not joined. */
void fill_lines(FILE *out, const char *text, int indent);

#endif
