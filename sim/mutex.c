/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sleeping mutex; see mutex.h. */
#include <string.h>

#include "sim/mutex.h"

void mutex_init(struct sim *s, struct mutex *m, const char *name)
{
	memset(m, 0, sizeof(*m));
	line_init(s, &m->line, name);
	m->last = &m->first;
	m->class = lock_class_get(s, name, "mutex");
	m->class->n.wait_min = m->class->n.hold_min = PS_NEVER;
}

void mutex_lock(struct task *t, struct mutex *m)
{
	struct lock_counts *n = &m->class->n;
	const ps_t asked = t->cpu->now;

	line_rmw(t->cpu, &m->line);
	n->acquisitions++;
	if (m->owner) {
		t->next = NULL;
		*m->last = t;
		m->last = &t->next;
		task_sleep(t);
		/* whoever unlocked has made us the owner */
		check_debug(t->cpu->sim, m->owner == t);
		n->contentions++;
		n->wait_total += t->cpu->now - asked;
		if (t->cpu->now - asked < n->wait_min)
			n->wait_min = t->cpu->now - asked;
		if (t->cpu->now - asked > n->wait_max)
			n->wait_max = t->cpu->now - asked;
	}
	m->owner = t;
	m->since = t->cpu->now;
}

void mutex_unlock(struct task *t, struct mutex *m)
{
	struct lock_counts *n = &m->class->n;
	const ps_t hold = t->cpu->now - m->since;
	struct task *next;

	check_debug(t->cpu->sim, m->owner == t);
	n->hold_total += hold;
	if (hold < n->hold_min)
		n->hold_min = hold;
	if (hold > n->hold_max)
		n->hold_max = hold;
	line_rmw(t->cpu, &m->line);
	next = m->first;
	m->owner = next;
	if (!next)
		return;
	m->first = next->next;
	if (!m->first)
		m->last = &m->first;
	task_wake(next, t->cpu->now);
}
