/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_LIST_H
#define CLI_LIST_H
/*
 * What there is, by kind: for vmapsim list and for completion.
 */
#include <stdbool.h>
#include <stddef.h>

struct list_entry {		/* all owned; never NULL */
	char *name, *info, *help;
	char *text;		/* lines that -v adds; "" for none */
};

struct list {
	const char *info;	/* heading of the second column */
	bool lines;		/* text is no prose: its lines stay */
	struct list_entry *e;
	size_t nr;
};

struct list_kind {
	const char *name;	/* "designs" */
	const char *info;
	int (*fill)(struct list *l);	/* 0 or -errno */
	bool lines;
};
extern const struct list_kind list_kinds[];	/* NULL name ends it */

/* NULL: no such kind. */
const struct list_kind *list_kind_find(const char *name);
/* 0 or -errno; list_free in any case. */
int list_fill(const struct list_kind *kind, struct list *l);
void list_free(struct list *l);
/* Copies; NULL stands for "". 0 or -ENOMEM. */
int list_add(struct list *l, const char *name, const char *info,
	     const char *help, const char *text);
/* In list_params.c. */
int list_params(struct list *l);

#endif
