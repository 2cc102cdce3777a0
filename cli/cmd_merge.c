/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim merge: other databases, or shards left behind, into --db. */
#include "cli/cli.h"

static int merge_all(const struct cli *c, struct store *s,
		     struct store_merged *m)
{
	for (size_t i = 0; i < c->args.nr; i++) {
		int rc = store_merge(s, c->args.word[i], m);

		if (rc < 0)
			return cli_fail(c, cli_status(c, rc), "%s",
					store_error(s));
	}
	return EXIT_DONE;
}

int cmd_merge(struct cli *c)
{
	static const struct table_column column[] = {
		{ "added", TABLE_PLAIN }, { "replaced", TABLE_PLAIN },
		{ "kept", TABLE_PLAIN },
	};
	struct store_merged m = { 0 };
	struct store *store;
	struct output o;
	struct table *t;
	int status;

	if (!c->args.nr)
		return cli_fail(c, EXIT_USAGE, "found no database, expected "
				"those to merge into %s", c->db);
	status = output_open(c, &o);
	if (status)
		return status;
	status = input_store(c, &store, STORE_WRITE);
	if (!status) {
		status = merge_all(c, store, &m);
		store_close(store);
	}
	if (status)
		return output_cancel(&o, status);
	t = table_begin(o.file, c->format, column, ARRAY_SIZE(column));
	if (t) {
		table_int(t, (s64)m.added);
		table_int(t, (s64)m.replaced);
		table_int(t, (s64)m.kept);
		table_end(t);
	}
	return output_close(c, &o, EXIT_DONE);
}
