/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/datadir.h"
#include "study/machines.h"

#define SUFFIX ".machine"

static bool has_suffix(const char *name)
{
	size_t len = strlen(name), suffix = strlen(SUFFIX);

	return len > suffix && !strcmp(name + len - suffix, SUFFIX);
}

static int is_machine(const struct dirent *d)
{
	return d->d_name[0] != '.' && has_suffix(d->d_name);
}

static char **index_names(struct dirent **entry, size_t nr)
{
	size_t size = nr * sizeof(char *);
	char **names, *to;

	for (size_t i = 0; i < nr; i++)
		size += strlen(entry[i]->d_name) + 1;
	names = malloc(size + 1);
	if (!names)
		return NULL;
	to = (char *)(names + nr);
	for (size_t i = 0; i < nr; i++) {
		size_t len = strlen(entry[i]->d_name) - strlen(SUFFIX);

		names[i] = to;
		memcpy(to, entry[i]->d_name, len);
		to[len] = '\0';
		to += len + 1;
	}
	return names;
}

ssize_t machine_names(char ***names)
{
	char folder[PATH_MAX];
	struct dirent **entry;
	int nr;

	*names = NULL;
	if (datadir_path("machines", "", folder, sizeof(folder)))
		return -ENOENT;
	nr = scandir(folder, &entry, is_machine, alphasort);
	if (nr < 0)
		return -errno;
	*names = index_names(entry, (size_t)nr);
	for (int i = 0; i < nr; i++)
		free(entry[i]);
	free(entry);
	return *names ? nr : -ENOMEM;
}

static void find_nearest(const char *name, char *near, size_t near_size)
{
	const char *found = NULL;
	char **names;
	ssize_t nr = machine_names(&names);

	if (nr > 0)
		found = nearest_name(name, (const char *const *)names,
				     (size_t)nr);
	snprintf(near, near_size, "%s", found ? found : "");
	free(names);
}

int machine_path(const char *name, char *path, size_t size, char *near,
		 size_t near_size)
{
	char file[NAME_MAX + 1];
	int rc;

	snprintf(near, near_size, "%s", "");
	if (strchr(name, '/') || has_suffix(name)) {
		if (strlen(name) >= size)
			return -ENAMETOOLONG;
		strcpy(path, name);
		return access(path, F_OK) ? -ENOENT : 0;
	}
	if (snprintf(file, sizeof(file), "%s" SUFFIX, name) >=
	    (int)sizeof(file))
		return -ENAMETOOLONG;
	rc = *name ? datadir_path("machines", file, path, size) : -ENOENT;
	if (rc)
		find_nearest(name, near, near_size);
	return rc;
}
