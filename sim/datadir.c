/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/datadir.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Defined in Makefile.am; without them only the environment is left. */
#ifndef VMAPSIM_PKGDATADIR
#define VMAPSIM_PKGDATADIR ""
#define VMAPSIM_SRCDIR ""
#define VMAPSIM_BUILDDIR ""
#endif

struct kind {
	const char *name;
	const char *source;	/* folder in the source tree */
	const char *installed;	/* folder below pkgdatadir */
};

static const struct kind kinds[] = {
	{ "machines", "models/machines", "machines" },
	{ "workloads", "workloads", "workloads" },
	{ "plots", "plots", "plots" },
	{ "published", "results/published", "published" },
	{ "queries", "results/queries", "queries" },
	{ "schema", "results", "." },
};

static const struct kind *find_kind(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

/* The program is found at the top of the build tree, its tests in tests/. */
static bool runs_from_build_tree(void)
{
	char exe[PATH_MAX], top[PATH_MAX];
	const char *rest, *slash;
	ssize_t len;

	len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (len <= 0 || !realpath(VMAPSIM_BUILDDIR, top))
		return false;
	exe[len] = '\0';
	if (strncmp(exe, top, strlen(top)) || exe[strlen(top)] != '/')
		return false;
	rest = exe + strlen(top) + 1;
	slash = strchr(rest, '/');
	return !slash || (!strncmp(rest, "tests/", 6) &&
			  !strchr(slash + 1, '/'));
}

static int try_path(const char *base, const char *dir, const char *name,
		    char *buf, size_t size)
{
	int len = snprintf(buf, size, "%s/%s%s%s", base, dir,
			   *name ? "/" : "", name);

	if (len < 0 || (size_t)len >= size)
		return -ENAMETOOLONG;
	return access(buf, F_OK) ? -ENOENT : 0;
}

int datadir_path(const char *kind, const char *name, char *buf, size_t size)
{
	const struct kind *k = find_kind(kind);
	const char *env = getenv("VMAPSIM_DATADIR");
	int rc = -ENOENT;

	if (!k || strchr(name, '/') || !strcmp(name, ".."))
		return -EINVAL;
	if (env && *env)
		rc = try_path(env, k->installed, name, buf, size);
	if (rc == -ENOENT && runs_from_build_tree())
		rc = try_path(VMAPSIM_SRCDIR, k->source, name, buf, size);
	if (rc == -ENOENT)
		rc = try_path(VMAPSIM_PKGDATADIR, k->installed, name, buf,
			      size);
	return rc;
}
