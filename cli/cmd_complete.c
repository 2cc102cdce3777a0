/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vmapsim complete WORD...: candidates for the last word, one a line, for the
 * shells (cli/completion/). The words are those
 * after "vmapsim" up to the one under the cursor. A candidate that ends in
 * '=' wants to go on. Nothing at all: a file's name is meant.
 */
#include <string.h>

#include "cli/cli.h"
#include "cli/list.h"

static void put_kind(const char *kind, const char *suffix)
{
	const struct list_kind *k = list_kind_find(kind);
	struct list l;

	if (!k)
		return;
	if (!list_fill(k, &l))
		for (size_t i = 0; i < l.nr; i++)
			printf("%s%s\n", l.e[i].name, suffix);
	list_free(&l);
}

static void put_words(const char *const *word)
{
	for (; *word; word++)
		puts(*word);
}

static void put_commands(void)
{
	for (int i = 0; i < NR_COMMANDS; i++)
		if (commands[i].help)
			puts(commands[i].name);
}

static void put_options(int command)
{
	for (size_t i = 0; i < nr_option_descs; i++) {
		const struct option_desc *o = &option_descs[i];

		if (command < 0 ? o->commands == ~0u :
		    o->commands & (1u << command))
			printf("--%s\n", o->name);
	}
	puts("--help\n--usage\n--version");
}

/* Values of the option that stands before; false: it has no known ones. */
static bool put_values(const char *option)
{
	static const char *const when[] = { "auto", "always", "never", NULL };

	if (!strcmp(option, "--format"))
		put_words(table_format_names);
	else if (!strcmp(option, "--color"))
		put_words(when);
	else if (!strcmp(option, "--set") || !strcmp(option, "--axis"))
		put_kind("params", strcmp(option, "--set") ? "" : "=");
	else if (!strcmp(option, "--metric"))
		put_kind("metrics", "");
	else if (!strcmp(option, "--machine"))
		put_kind("machines", "");
	else
		return false;
	return true;
}

static bool takes_value(const char *option)
{
	for (size_t i = 0; i < nr_option_descs; i++)
		if (!strncmp(option, "--", 2) &&
		    !strcmp(option + 2, option_descs[i].name))
			return option_descs[i].arg;
	return false;
}

static void put_arguments(enum command_id command, const char *before)
{
	switch (command) {
	case COMMAND_compare:
		put_kind("designs", "");
		break;
	case COMMAND_validate:
		put_kind("cases", "");
		break;
	case COMMAND_query:
		put_kind("queries", "");
		break;
	case COMMAND_plot:
		put_kind("figures", "");
		break;
	case COMMAND_help:
		put_commands();
		break;
	case COMMAND_list:
		if (list_kind_find(before))
			put_kind(before, "");
		else
			for (const struct list_kind *k = list_kinds; k->name;
			     k++)
				puts(k->name);
		break;
	default:
		break;
	}
}

int cmd_complete(struct cli *c)
{
	size_t nr = c->args.nr;
	const char *word = nr ? c->args.word[nr - 1] : "";
	const char *before = nr > 1 ? c->args.word[nr - 2] : "";
	int command = -1;

	for (size_t i = 0; i + 1 < nr && command < 0; i++)
		command = command_find(c->args.word[i]);
	if (put_values(before) || takes_value(before))
		return EXIT_DONE;
	if (word[0] == '-')
		put_options(command);
	else if (command < 0)
		put_commands();
	else
		put_arguments((enum command_id)command, before);
	return EXIT_DONE;
}
