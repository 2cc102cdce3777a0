/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results through a pipe: fixed parts, then strings and arrays by length. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/wire.h"

static const char *const states[] = { "done", "failed", "interrupted" };

struct fixed {			/* all that has no pointer */
	char key[33];
	u8 state;
	u64 seed;
	u32 nr_threads, replications;
	enum regime regime;
	struct metric_value metric[NR_METRICS];
	double elapsed_s;
};

static void put(FILE *out, const void *p, size_t size)
{
	fwrite(p, 1, size, out);
}

/* Length + 1 first; 0 stands for NULL. */
static void put_text(FILE *out, const char *text)
{
	u32 size = text ? (u32)strlen(text) + 1 : 0;

	put(out, &size, sizeof(size));
	if (size)
		put(out, text, size);
}

static void put_array(FILE *out, const void *p, size_t nr, size_t size)
{
	u64 n = p ? nr : 0;

	put(out, &n, sizeof(n));
	if (n)
		put(out, p, n * size);
}

int wire_pack(const struct result *r, char **bytes, size_t *size)
{
	struct fixed f = {
		.seed = r->seed, .nr_threads = r->nr_threads,
		.replications = r->replications, .regime = r->regime,
		.elapsed_s = r->elapsed_s,
	};
	FILE *out = open_memstream(bytes, size);
	int failed;

	if (!out)
		return -ENOMEM;
	memcpy(f.key, r->key, sizeof(f.key));
	memcpy(f.metric, r->metric, sizeof(f.metric));
	while (strcmp(states[f.state], r->state))
		f.state++;
	put(out, &f, sizeof(f));
	put_text(out, r->design);
	put_text(out, r->workload);
	put_text(out, r->machine);
	put_text(out, r->error);
	put_text(out, r->version);
	put_text(out, r->repeat);
	put(out, &r->nr_params, sizeof(r->nr_params));
	for (size_t i = 0; i < r->nr_params; i++) {
		put_text(out, r->param[i].name);
		put_text(out, r->param[i].value);
	}
	put_array(out, r->lock, r->nr_locks, sizeof(*r->lock));
	put_array(out, r->line, r->nr_lines, sizeof(*r->line));
	put_array(out, r->profile, r->nr_profile, sizeof(*r->profile));
	put_array(out, r->pair, 1, sizeof(*r->pair));
	put_array(out, r->alloc, 1, sizeof(*r->alloc));
	put_array(out, r->free, 1, sizeof(*r->free));
	failed = ferror(out);
	if (fclose(out) || failed) {
		free(*bytes);
		return -ENOMEM;
	}
	return 0;
}

struct reader {
	const char *p;
	size_t left;
	int rc;			/* first error; all reads fail after it */
};

static void get(struct reader *in, void *to, size_t size)
{
	if (!in->rc && size > in->left)
		in->rc = -EBADMSG;
	if (in->rc)
		return;
	memcpy(to, in->p, size);
	in->p += size;
	in->left -= size;
}

static void *get_bytes(struct reader *in, size_t size)
{
	void *p;

	if (!in->rc && size > in->left)
		in->rc = -EBADMSG;
	if (in->rc || !size)
		return NULL;
	p = malloc(size);
	if (!p)
		in->rc = -ENOMEM;
	else
		get(in, p, size);
	return p;
}

static char *get_text(struct reader *in)
{
	u32 size = 0;
	char *text;

	get(in, &size, sizeof(size));
	text = get_bytes(in, size);
	if (text && text[size - 1]) {
		in->rc = -EBADMSG;
		free(text);
		return NULL;
	}
	return text;
}

static void *get_array(struct reader *in, size_t *nr, size_t size)
{
	u64 n = 0;
	void *p;

	get(in, &n, sizeof(n));
	if (!in->rc && n > in->left / size)
		in->rc = -EBADMSG;
	p = get_bytes(in, in->rc ? 0 : n * size);
	*nr = p ? n : 0;
	return p;
}

static void get_params(struct reader *in, struct result *r)
{
	size_t nr = 0;

	get(in, &nr, sizeof(nr));
	if (!in->rc && nr > in->left / (2 * sizeof(u32)))
		in->rc = -EBADMSG;
	if (in->rc)
		return;
	r->param = calloc(nr + 1, sizeof(*r->param));
	if (!r->param) {
		in->rc = -ENOMEM;
		return;
	}
	for (; r->nr_params < nr && !in->rc; r->nr_params++) {
		r->param[r->nr_params].name = get_text(in);
		r->param[r->nr_params].value = get_text(in);
	}
}

static void get_fixed(struct reader *in, struct result *r)
{
	struct fixed f = { 0 };

	get(in, &f, sizeof(f));
	if (!in->rc && (f.state >= ARRAY_SIZE(states) || f.key[32]))
		in->rc = -EBADMSG;
	*r = (struct result) {
		.seed = f.seed, .nr_threads = f.nr_threads,
		.replications = f.replications, .regime = f.regime,
		.elapsed_s = f.elapsed_s,
		.state = states[in->rc ? 0 : f.state],
	};
	memcpy(r->key, f.key, sizeof(r->key));
	memcpy(r->metric, f.metric, sizeof(r->metric));
}

int wire_unpack(const char *bytes, size_t size, struct result *r)
{
	struct reader in = { .p = bytes, .left = size };
	size_t nr;

	get_fixed(&in, r);
	r->design = get_text(&in);
	r->workload = get_text(&in);
	r->machine = get_text(&in);
	r->error = get_text(&in);
	r->version = get_text(&in);
	r->repeat = get_text(&in);
	get_params(&in, r);
	r->lock = get_array(&in, &r->nr_locks, sizeof(*r->lock));
	r->line = get_array(&in, &r->nr_lines, sizeof(*r->line));
	r->profile = get_array(&in, &r->nr_profile, sizeof(*r->profile));
	r->pair = get_array(&in, &nr, sizeof(*r->pair));
	r->alloc = get_array(&in, &nr, sizeof(*r->alloc));
	r->free = get_array(&in, &nr, sizeof(*r->free));
	if (!in.rc && in.left)
		in.rc = -EBADMSG;
	if (in.rc)
		result_free(r);
	return in.rc;
}
