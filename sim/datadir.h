/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_DATADIR_H
#define SIM_DATADIR_H
/*
 * Where the files are that come with the program. Looked for in this order:
 *
 *  1. $VMAPSIM_DATADIR, laid out as it is installed: machines/, workloads/,
 *     plots/, published/, queries/, schema.sql;
 *  2. the source tree, when the running program still lies where it was built;
 *  3. the installed folder ($(pkgdatadir)).
 *
 * The paths are for opening files only: none goes into a result or a key.
 */
#include <stddef.h>

/*
 * kind is "machines", "workloads", "plots", "published", "queries" or "schema".
 * name is a file's name in there; "" gives the folder, which for "schema" is
 * the one that holds schema.sql. buf is set to the first file that exists.
 * 0; -ENOENT: in none of the places (buf has the path tried last);
 * -EINVAL: no such kind, or a name that leaves the folder; -ENAMETOOLONG.
 */
int datadir_path(const char *kind, const char *name, char *buf, size_t size);

#endif
