/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_CLI_H
#define CLI_CLI_H
/*
 * The command line: subcommands (commands.def), options (options.def), and
 * what every subcommand needs. Messages and exit statuses are made here and in
 * cmd_*.c only; everything below returns errors.
 */
#include <stdio.h>

#include "results/store.h"
#include "results/table.h"
#include "study/scenario.h"
#include "study/sweep.h"

enum exit_status {
	EXIT_DONE = 0,
	EXIT_RUN = 1,		/* a run or point failed, cannot write */
	EXIT_USAGE = 2,		/* usage, bad input, foreign database */
	EXIT_TOLERANCE = 3,	/* validate, compare --fail-on */
	EXIT_SIGNAL = 128,	/* plus the signal's number */
};

enum command_id {
#define COMMAND(name, args, help) COMMAND_##name,
#define LATER(name, args, help) COMMAND_##name,
#define HIDDEN(name) COMMAND_##name,
#include "cli/commands.def"
#undef COMMAND
#undef LATER
#undef HIDDEN
	NR_COMMANDS
};

struct cli;

struct command {
	const char *name, *args, *help;	/* help NULL: hidden */
	int (*run)(struct cli *c);	/* exit status; NULL: later */
};
extern const struct command commands[NR_COMMANDS];

struct option_desc {
	const char *name;
	int letter;		/* 0: none */
	const char *arg;	/* NULL: none */
	u32 commands;		/* bit i: command i takes it */
	const char *help;
};
extern const struct option_desc option_descs[];
extern const size_t nr_option_descs;

/* A list of words that an option may be given several times for. */
struct words {
	char **word;		/* words are argv's */
	size_t nr;
};

struct cli {
	int argc;		/* as the program was called */
	char **argv;
	enum command_id command;
	struct words args;	/* behind the command */
	struct assignment *set;	/* --set and --seed, in order */
	size_t nr_set, nr_set_options;
	const char *db;		/* --db, VMAPSIM_DB, or the default */
	enum table_format format;
	const char *output, *section, *machine, *metric, *axis;
	struct words from;
	double fail_on_pct;	/* below 0: not given */
	unsigned int jobs;	/* 0: all CPUs */
	bool quiet, verbose, showjob, histograms, dry_run;
	bool quick, full, names, format_given;
	bool color;		/* of messages; decided */
	const volatile int *stop;	/* the signal that came, or 0 */
};

/* --- options.c -------------------------------------------------------- */

/*
 * Parses argv, exits with 0 or 2 after --help, --version and misuse. Returns
 * an exit status; EXIT_DONE: go on. cli_free() in any case.
 */
int cli_parse(struct cli *c, int argc, char **argv);
void cli_free(struct cli *c);
/* A command's --help on standard output. */
int cli_help(const struct cli *c, enum command_id command);
/* -1: none. */
int command_find(const char *name);

/* --- message.c: standard error --------------------------------------- */

/* One line "vmapsim: ..."; returns status. */
__attribute__((format(printf, 3, 4)))
int cli_fail(const struct cli *c, int status, const char *fmt, ...);
/* Likewise, but says where: file:line:col: text. */
int cli_fail_at(const struct cli *c, int status,
		const struct scenario_error *err);
/* Notes, unless --quiet. */
__attribute__((format(printf, 2, 3)))
void cli_note(const struct cli *c, const char *fmt, ...);
/* Exit status for an error of a function below: 130 and so on, 1 or 2. */
int cli_status(const struct cli *c, int rc);
/* Words that may be meant: "; nearest: x" or "". Returns buf. */
const char *cli_nearest(const char *text, const char *const *names, size_t nr,
			char *buf, size_t size);

/* --- output.c: the one document --------------------------------------- */

struct output {
	FILE *file;
	const char *path;	/* NULL: standard output */
	char *temporary;	/* NULL: path is written directly */
};

/* To be called before long work. Returns an exit status. */
int output_open(const struct cli *c, struct output *o);
/* Puts the document in its place. Returns status, or EXIT_RUN. */
int output_close(const struct cli *c, struct output *o, int status);
/* Leaves nothing behind. Returns status. */
int output_cancel(struct output *o, int status);
/* At exit: a failed write to standard output is an error, too. */
void output_check_stdout(void);

/* --- input.c ----------------------------------------------------------- */

struct job;

/* Reads the .job of the command line if there is one. Exit status. */
int input_job(const struct cli *c, struct job *j);
/* Number of a variant that --section names, or -1 after a message. */
ssize_t input_section(const struct cli *c, const struct job *j);
/* Opens the database. Exit status, with a message. */
int input_store(const struct cli *c, struct store **s, enum store_mode mode);
/* The command line as one shell word after the other; the caller's. */
char *input_command_line(const struct cli *c);

/* --- runs.c: results on paper ------------------------------------------ */

/* Document of one run, in c's format. 0 or -errno. */
int runs_print_one(const struct cli *c, FILE *out, const struct result *r);
/* A row a run; results without a state are left out. */
int runs_print_many(const struct cli *c, FILE *out, const struct result *r,
		    size_t nr);
/* Two lines: how it was called, and by what version it was made. */
int runs_print_heading(const struct cli *c, FILE *out,
		       const struct result *r);

/* --- signals.c ---------------------------------------------------------- */

/* SIGINT and SIGTERM set what is returned; SIGPIPE is ignored. */
const volatile int *signals_install(void);

#define COMMAND(name, args, help) int cmd_##name(struct cli *c);
#define LATER(name, args, help)
#define HIDDEN(name) int cmd_##name(struct cli *c);
#include "cli/commands.def"
#undef COMMAND
#undef LATER
#undef HIDDEN

#endif
