/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_JOB_H
#define CLI_JOB_H
/*
 * Reader of .job files, vmapsim-job(5): INI in fio's manner. `[defaults]`
 * holds for every section, each further section is a variant. A line is
 * `key = value`; `#` at the start of a line begins a comment. There is no
 * continuation, no quoting, and no include. Carriage returns at line ends are
 * taken off. Nothing is looked up here: keys and values are checked by
 * scenario_init().
 */
#include "study/scenario.h"

#define JOB_LINE_MAX	4096u		/* bytes, without the newline */
#define JOB_SIZE_MAX	(1u << 20)	/* bytes of a file */

struct job_section {
	char *name;
	size_t line;			/* of its header, 1-based */
	struct assignment *a;		/* in the file's order */
	size_t nr;
};

struct job {
	char *file;			/* what assignments and errors name */
	struct job_section *section;	/* [0] is [defaults], perhaps empty */
	size_t nr;			/* >= 1 after success */
};

/*
 * 0, -EINVAL with *err filled in (err->file is file), -ENOMEM, and for
 * job_read also what open and read say, with *err filled in. *j is to be freed
 * after success only.
 */
int job_read(const char *file, struct job *j, struct scenario_error *err);
int job_parse(const char *text, size_t len, const char *file, struct job *j,
	      struct scenario_error *err);
void job_free(struct job *j);

/*
 * Number of variants: the sections besides [defaults], or 1 when there is no
 * other.
 */
size_t job_nr_variants(const struct job *j);
/* Name of a variant, "defaults" when that is the only section. */
const char *job_variant_name(const struct job *j, size_t variant);
/*
 * Assignments of a variant with those of the command line behind them, in
 * order of rising precedence. The array is the caller's to free(), what it
 * points to is not. NULL: no memory.
 */
struct assignment *job_variant(const struct job *j, size_t variant,
			       const struct assignment *more, size_t nr_more,
			       size_t *nr);

#endif
