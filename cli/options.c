/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsing with argp, twice: first what stands before the command, then the
 * command's own words. Both from the one table in options.def.
 */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "sim/version.h"

#define ALL		(~0u)
#define FOR(name)	(1u << COMMAND_##name)

enum option_id {
#define OPTION(id, name, letter, arg, commands, help) OPTION_##id,
#include "cli/options.def"
#undef OPTION
	NR_OPTIONS
};

const struct option_desc option_descs[] = {
#define OPTION(id, name, letter, arg, commands, help) \
	{ name, letter, arg, commands, help },
#include "cli/options.def"
#undef OPTION
};
const size_t nr_option_descs = NR_OPTIONS;

#define KEY_BASE	0x1000	/* argp's keys of options without a letter */
#define DEFAULT_DB	"results/results.db"
#define NR_JOBS_MAX	4096

/* What argp's parsers are given: the options, and which pass it is. */
struct parse {
	struct cli *c;
	bool first;		/* before the command's name */
	int command_at;		/* its place in argv */
};

int command_find(const char *name)
{
	for (int i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return i;
	return -1;
}

static int key_of(size_t i)
{
	return option_descs[i].letter ? option_descs[i].letter :
	       KEY_BASE + (int)i;
}

static int add_set(struct cli *c, const char *file, size_t line,
		   const char *key, size_t key_len, const char *value,
		   size_t value_col)
{
	struct assignment *a = realloc(c->set, (c->nr_set + 1) * sizeof(*a));

	if (!a)
		return -ENOMEM;
	c->set = a;
	a[c->nr_set] = (struct assignment) {
		.key = strndup(key, key_len), .value = strdup(value),
		.file = (char *)file, .line = line, .key_col = 1,
		.value_col = value_col,
	};
	a += c->nr_set++;
	return a->key && a->value ? 0 : -ENOMEM;
}

static void parse_set(struct argp_state *state, struct cli *c, char *arg)
{
	const char *eq = strchr(arg, '=');

	if (!eq || eq == arg)
		argp_failure(state, EXIT_USAGE, 0,
			     "--set: found \"%s\", expected key=value", arg);
	else if (add_set(c, "--set", ++c->nr_set_options, arg,
			 (size_t)(eq - arg), eq + 1, (size_t)(eq - arg) + 2))
		argp_failure(state, EXIT_RUN, ENOMEM, "--set");
}

static void parse_format(struct argp_state *state, struct cli *c,
			 const char *arg)
{
	int format = table_format_find(arg);

	if (format < 0)
		argp_failure(state, EXIT_USAGE, 0, "--format: found \"%s\", "
			     "expected table, json, csv, tsv or md", arg);
	else
		c->format = (enum table_format)format;
	c->format_given = true;
}

static void parse_jobs(struct argp_state *state, struct cli *c,
		       const char *arg)
{
	char *end;
	unsigned long nr = strtoul(arg, &end, 10);

	if (*arg < '0' || *arg > '9' || *end || !nr || nr > NR_JOBS_MAX)
		argp_failure(state, EXIT_USAGE, 0, "--jobs: found \"%s\", "
			     "expected a number from 1 to %d", arg,
			     NR_JOBS_MAX);
	c->jobs = (unsigned int)nr;
}

static void parse_color(struct argp_state *state, struct cli *c,
			const char *arg)
{
	if (!strcmp(arg, "always"))
		c->color = true;
	else if (!strcmp(arg, "never"))
		c->color = false;
	else if (strcmp(arg, "auto"))
		argp_failure(state, EXIT_USAGE, 0, "--color: found \"%s\", "
			     "expected auto, always or never", arg);
}

static void parse_fail_on(struct argp_state *state, struct cli *c,
			  const char *arg)
{
	char *end;

	c->fail_on_pct = strtod(arg, &end);
	if (*end == '%')
		end++;
	if (end == arg || *end || !(c->fail_on_pct >= 0))
		argp_failure(state, EXIT_USAGE, 0, "--fail-on: found \"%s\", "
			     "expected a percentage such as 3%%", arg);
}

/* The name of a file, where an empty one has no meaning. */
static const char *parse_file(struct argp_state *state, const char *option,
			      const char *arg)
{
	if (!*arg)
		argp_failure(state, EXIT_USAGE, 0, "%s: found no name, "
			     "expected that of a file", option);
	return arg;
}

static void add_word(struct argp_state *state, struct words *w, char *arg)
{
	char **word = realloc(w->word, (w->nr + 1) * sizeof(*word));

	if (!word) {
		argp_failure(state, EXIT_RUN, ENOMEM, "%s", arg);
		return;
	}
	w->word = word;
	word[w->nr++] = arg;
}

static void parse_switch(struct cli *c, enum option_id id)
{
	switch (id) {
	case OPTION_JSON:
		c->format = TABLE_JSON;
		c->format_given = true;
		break;
	case OPTION_QUIET:
		c->quiet = true;
		break;
	case OPTION_VERBOSE:
		c->verbose = true;
		break;
	case OPTION_SHOWJOB:
		c->showjob = true;
		break;
	case OPTION_HISTOGRAMS:
		c->histograms = true;
		break;
	case OPTION_DRY_RUN:
		c->dry_run = true;
		break;
	case OPTION_QUICK:
		c->quick = true;
		break;
	case OPTION_FULL:
		c->full = true;
		break;
	case OPTION_NAMES:
		c->names = true;
		break;
	default:
		break;
	}
}

static void parse_option(struct argp_state *state, struct cli *c,
			 enum option_id id, char *arg)
{
	switch (id) {
	case OPTION_DB:
		c->db = parse_file(state, "--db", arg);
		break;
	case OPTION_SEED:
		if (add_set(c, "--seed", 1, "seed", 4, arg, 1))
			argp_failure(state, EXIT_RUN, ENOMEM, "--seed");
		break;
	case OPTION_JOBS:
		parse_jobs(state, c, arg);
		break;
	case OPTION_SET:
		parse_set(state, c, arg);
		break;
	case OPTION_FORMAT:
		parse_format(state, c, arg);
		break;
	case OPTION_OUTPUT:
		c->output = parse_file(state, "--output", arg);
		break;
	case OPTION_COLOR:
		parse_color(state, c, arg);
		break;
	case OPTION_SECTION:
		c->section = arg;
		break;
	case OPTION_MACHINE:
		c->machine = arg;
		break;
	case OPTION_FROM:
		add_word(state, &c->from, arg);
		break;
	case OPTION_METRIC:
		c->metric = arg;
		break;
	case OPTION_AXIS:
		c->axis = arg;
		break;
	case OPTION_FAIL_ON:
		parse_fail_on(state, c, arg);
		break;
	default:
		parse_switch(c, id);
		break;
	}
}

static error_t parse_key(int key, char *arg, struct argp_state *state)
{
	struct parse *p = state->input;

	if (key == ARGP_KEY_ARG && p->first) {
		p->command_at = state->next - 1;
		state->next = state->argc;	/* the rest is the command's */
		return 0;
	}
	if (key == ARGP_KEY_ARG) {
		add_word(state, &p->c->args, arg);
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS && p->first) {
		argp_state_help(state, stderr, ARGP_HELP_SHORT_USAGE |
				ARGP_HELP_SEE | ARGP_HELP_EXIT_ERR);
		return 0;
	}
	if (key == 'h') {
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		return 0;
	}
	for (size_t i = 0; i < nr_option_descs; i++) {
		if (key == key_of(i)) {
			parse_option(state, p->c, (enum option_id)i, arg);
			return 0;
		}
	}
	return ARGP_ERR_UNKNOWN;
}

/* Options that a command takes, or (command < 0) those that all take. */
static void fill_options(struct argp_option *o, int command)
{
	for (size_t i = 0; i < nr_option_descs; i++) {
		const struct option_desc *d = &option_descs[i];
		bool common = d->commands == ALL;

		if (command < 0 ? !common : !(d->commands & (1u << command)))
			continue;
		*o++ = (struct argp_option) {
			.name = d->name, .key = key_of(i), .arg = d->arg,
			.doc = d->help, .group = common ? 2 : 1,
		};
	}
	*o++ = (struct argp_option) { .key = 'h', .flags = OPTION_HIDDEN };
	*o = (struct argp_option) { 0 };
}

/* Text of --help without a command; the caller's. */
static char *overview(void)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fputs("Simulates vmap and vmalloc designs of the Linux kernel under "
	      "contention.\v", f);
	fputs("Commands:\n", f);
	for (int i = 0; i < NR_COMMANDS; i++)
		if (commands[i].help)
			fprintf(f, "  %-12s %s%s\n", commands[i].name,
				commands[i].help,
				commands[i].run ? "" : " (later)");
	fputs("\n`vmapsim help COMMAND' tells a command's options; "
	      "vmapsim(1) has it all.", f);
	fclose(f);
	return text;
}

static int run_argp(struct cli *c, int argc, char **argv, int command,
		    struct parse *p)
{
	struct argp_option options[NR_OPTIONS + 2];
	char *doc = command < 0 ? overview() : NULL;
	char name[64] = "vmapsim";
	struct argp argp = {
		.options = options, .parser = parse_key,
		.args_doc = command < 0 ? "COMMAND [ARGUMENT...]" :
			    commands[command].args,
		.doc = command < 0 ? doc : commands[command].help,
	};
	int rc;

	p->c = c;
	fill_options(options, command);
	if (command >= 0) {
		snprintf(name, sizeof(name), "vmapsim %s",
			 commands[command].name);
		argv[0] = name;		/* what argp's messages begin with */
	}
	rc = argp_parse(&argp, argc, argv, command < 0 ? ARGP_IN_ORDER : 0,
			NULL, p);
	free(doc);
	return rc;
}

static int unknown_command(struct cli *c, const char *name)
{
	const char *names[NR_COMMANDS];
	char near[80];
	size_t nr = 0;

	for (int i = 0; i < NR_COMMANDS; i++)
		if (commands[i].help)
			names[nr++] = commands[i].name;
	return cli_fail(c, EXIT_USAGE, "found command \"%s\", expected one of "
			"vmapsim help%s", name,
			cli_nearest(name, names, nr, near, sizeof(near)));
}

/* argp writes into argv[0] and reorders: it gets copies. */
static int parse_both(struct cli *c, char **copy)
{
	struct parse p = { .first = true };
	int rc = run_argp(c, c->argc, copy, -1, &p), command;

	if (rc)
		return cli_fail(c, EXIT_RUN, "%s", strerror(rc));
	memcpy(copy, c->argv, (size_t)c->argc * sizeof(*copy));
	command = command_find(copy[p.command_at]);
	if (command < 0)
		return unknown_command(c, copy[p.command_at]);
	c->command = (enum command_id)command;
	p.first = false;
	rc = run_argp(c, c->argc - p.command_at, copy + p.command_at, command,
		      &p);
	return rc ? cli_fail(c, EXIT_RUN, "%s", strerror(rc)) : EXIT_DONE;
}

static const char *default_db(void)
{
	const char *db = getenv("VMAPSIM_DB");

	return db && *db ? db : DEFAULT_DB;
}

int cli_parse(struct cli *c, int argc, char **argv)
{
	const char *no_color = getenv("NO_COLOR");
	char **copy = calloc((size_t)argc + 1, sizeof(*copy));
	int status;

	if (!copy)
		return EXIT_RUN;
	memcpy(copy, argv, (size_t)argc * sizeof(*copy));
	c->argc = argc;
	c->argv = argv;
	c->db = default_db();
	c->fail_on_pct = -1;
	c->color = isatty(2) && !(no_color && *no_color);
	argp_err_exit_status = EXIT_USAGE;
	argp_program_version = version_full();
	setenv("ARGP_HELP_FMT", "rmargin=78,opt-doc-col=27", 0);
	status = parse_both(c, copy);
	free(copy);
	return status;
}

int cli_help(const struct cli *c, enum command_id command)
{
	char help[] = "--help";
	char *argv[] = { c->argv[0], help, NULL };
	struct parse p = { .first = command == COMMAND_help };
	struct cli unused = { 0 };

	return run_argp(&unused, 2, argv, p.first ? -1 : (int)command, &p);
}

void cli_free(struct cli *c)
{
	for (size_t i = 0; i < c->nr_set; i++) {
		free(c->set[i].key);
		free(c->set[i].value);
	}
	free(c->set);
	free(c->args.word);
	free(c->from.word);
}
