/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODELS_MACHINE_H
#define MODELS_MACHINE_H
/*
 * A machine: topology, latencies and the cost of each primitive step, read
 * from models/machines/NAME.machine. The file is INI without sections: a line
 * is `key = value` followed by `# where it comes from`; a value without a
 * source is an error. Lines that are a # comment are kept when they stand
 * before the first key, and skipped after it. Keys are the descriptors
 * machine_params (topology, latency.*, cost.*, kernel.* defaults), so
 * --set cost.x=... works on them.
 */
#include "sim/param.h"
#include "sim/topo.h"

/* In machine_params.c; keys without a default must be in the file. */
extern const struct param_desc machine_params[];

struct machine_line {		/* one key of a file, for writing it back */
	char *key, *value, *source;
	size_t nr, value_col;	/* where it was read; 0: by machine_set */
};

struct machine_file {
	char *name;		/* file name without .machine */
	char *dir;		/* its folder, with the slash; "" for none */
	char *comment;		/* leading # lines, with their newlines */
	struct machine_line *line;
	size_t nr;
};

struct machine_error {
	size_t line, col;	/* 1-based; line 0: the file itself */
	char text[240];		/* one line: found, expected, nearest */
};

/*
 * 0 or -ENOENT (no such file), -EINVAL, -ENOMEM, or another error of reading
 * it, with *err. path is a file's path. Nothing is to be freed after an error.
 */
int machine_read(const char *path, struct machine_file *f,
		 struct machine_error *err);
/*
 * Writes keys in machine_params' order; byte for byte reproducible. Values
 * keep the spelling that they were read or set in. 0 or -EIO.
 */
int machine_write(const struct machine_file *f, FILE *out);
/*
 * Value replaced or added; source likewise. -ENOENT: no such key, -EINVAL or
 * -ERANGE: a value that it doesn't take, or an empty or many-line source;
 * -ENOMEM. f unchanged then.
 */
int machine_set(struct machine_file *f, const char *key, const char *value,
		const char *source);
/* The line of a key, NULL when the file has none. */
const struct machine_line *machine_find(const struct machine_file *f,
					const char *key);
void machine_free(struct machine_file *f);
/*
 * Puts the file's values into s where the user gave none; a topology file's
 * path, relative to the .machine file, is made relative to here. -EINVAL when
 * a key without a default is in neither (latency.llc and .far are left to
 * machine_topo), -ENOENT when s lacks a key.
 */
int machine_apply(const struct machine_file *f, struct param_set *s,
		  struct machine_error *err);
/*
 * Topology and latencies from a complete set. 0 or as topo_init; -EINVAL also
 * for a matrix that is not square, positive, symmetric to 0.1 ns (halves of
 * the difference are evened out) and of the topology's size, or for missing
 * latencies. t is to be freed after 0 only.
 */
int machine_topo(const struct param_set *s, struct topo *t, char *err,
		 size_t err_size);

#endif
