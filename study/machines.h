/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_MACHINES_H
#define STUDY_MACHINES_H
/*
 * Machines by name: the .machine files that come with the program
 * (sim/datadir.h), or a file of the user's.
 */
#include "models/machine.h"

/*
 * Path of a machine: of the shipped one with this name, or name itself when it
 * has a slash or ends in ".machine". 0; -ENOENT with the nearest name or ""
 * in near; -ENAMETOOLONG, -ENOMEM.
 */
int machine_path(const char *name, char *path, size_t size, char *near,
		 size_t near_size);

/*
 * Names of the shipped machines, sorted; *names is one block, the caller's to
 * free(). Their number, or -ENOENT, -ENOMEM.
 */
ssize_t machine_names(char ***names);

#endif
