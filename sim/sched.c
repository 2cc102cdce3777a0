/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks, kworkers and interrupts; see sched.h. */
#include "sim/line.h"
#include "sim/sched.h"

struct irq {
	ps_t at, cost;
	u64 seq;
	void (*fn)(struct cpu *c, void *arg, ps_t end);
	void *arg;
	struct irq *next;
};

struct kworker {
	struct work *first, **last;
};

/* ---- switching tasks on one CPU ---- */

static void rq_push(struct cpu *c, struct task *t)
{
	t->state = TASK_RUNNABLE;
	t->next = NULL;
	if (c->rq_tail)
		c->rq_tail->next = t;
	else
		c->rq_head = t;
	c->rq_tail = t;
}

static struct task *rq_pop(struct cpu *c)
{
	struct task *t = c->rq_head;

	if (t) {
		c->rq_head = t->next;
		if (!c->rq_head)
			c->rq_tail = NULL;
		t->next = NULL;
	}
	return t;
}

/*
 * Leave prev for the next runnable task, or for idleness. The slot stays in
 * order: the next task parks as itself, an idle CPU waits for a wake-up.
 */
static void schedule(struct cpu *c, struct task *prev)
{
	struct sim *s = c->sim;
	struct task *next = rq_pop(c);

	c->need_resched = false;
	c->slice_begin = c->now;
	if (next == prev) {
		prev->state = TASK_RUNNING;
		return;
	}
	c->curr = next;
	if (next) {
		c->now += s->cfg.cost.context_switch;
		next->state = TASK_RUNNING;
		c->own_key = tourney_key(c->now, EV_OWN, s->seq++, c->id);
	} else {
		c->idle_since = c->now;
		c->own_key = TOURNEY_IDLE;
	}
	cpu_set_slot(c);
	sim_dispatch(s, &prev->coro);
	/* back: somebody scheduled prev again, and its turn has come */
	cpu_resumed(c);
}

void task_yield(struct task *t)
{
	rq_push(t->cpu, t);
	schedule(t->cpu, t);
}

void task_sleep(struct task *t)
{
	check_debug(t->cpu->sim, !t->preempt_count);
	t->state = TASK_SLEEPING;
	schedule(t->cpu, t);
}

void task_wake(struct task *t, ps_t at)
{
	struct cpu *c = t->cpu;
	struct sim *s = c->sim;

	check_debug(s, t->state == TASK_SLEEPING);
	if (c->curr) {
		rq_push(c, t);
		c->need_resched = true;
		return;
	}
	t->state = TASK_RUNNING;
	c->curr = t;
	if (at < c->idle_since)
		at = c->idle_since;
	c->own_key = tourney_key(at + s->cfg.cost.wakeup, EV_OWN, s->seq++,
				 c->id);
	cpu_set_slot(c);
}

static void task_entry(void *arg)
{
	struct task *t = arg;
	struct cpu *c = t->cpu;

	cpu_resumed(c);
	t->fn(t, t->arg);
	t->state = TASK_DEAD;
	schedule(c, t);
	check_always(c->sim, !"a dead task runs");
}

struct task *task_create(struct sim *s, u32 cpu, const char *name,
			 void (*fn)(struct task *, void *), void *arg,
			 ps_t start)
{
	struct cpu *c = &s->cpu[cpu];
	struct task *t = sim_alloc(s, sizeof(*t));

	check_always(s, s->nr_tasks < s->cfg.nr_tasks_max);
	t->cpu = c;
	t->name = name;
	t->id = s->nr_tasks;
	t->fn = fn;
	t->arg = arg;
	s->task[s->nr_tasks++] = t;
	coro_init(&t->coro, &s->stacks, task_entry, t);
	if (c->curr) {
		rq_push(c, t);
		return t;
	}
	t->state = TASK_RUNNING;
	c->curr = t;
	c->own_key = tourney_key(start, EV_OWN, s->seq++, c->id);
	cpu_set_slot(c);
	return t;
}

/* ---- kworkers ---- */

static void kworker_fn(struct task *t, void *arg)
{
	struct kworker *k = arg;

	for (;;) {
		struct work *w = k->first;

		if (!w) {
			task_sleep(t);
			continue;
		}
		k->first = w->next;
		if (!k->first)
			k->last = &k->first;
		w->pending = false;
		w->running = t;
		w->fn(t, w);
		w->running = NULL;
		if (w->again) {
			w->again = false;
			schedule_work(t, w);
		}
		cond_resched(t);
	}
}

void schedule_work(struct task *t, struct work *w)
{
	struct cpu *c = t->cpu;
	struct kworker *k;

	cpu_park(c);		/* the pending bit is everybody's */
	if (w->pending || w->again)
		return;
	if (w->running) {	/* goes to the pool that runs it */
		w->again = true;
		return;
	}
	w->pending = true;
	w->next = NULL;
	if (!c->kworker) {
		k = sim_alloc(c->sim, sizeof(*k));
		k->last = &k->first;
		c->kworker = task_create(c->sim, c->id, "kworker", kworker_fn,
					 k, c->now);
		c->need_resched = true;
	}
	k = c->kworker->arg;
	*k->last = w;
	k->last = &w->next;
	if (c->kworker->state == TASK_SLEEPING)
		task_wake(c->kworker, c->now);
}

/* ---- interrupts ---- */

static void set_irq_key(struct cpu *c)
{
	c->irq_key = c->irq ? tourney_key(c->irq->at, EV_HARDWARE, c->irq->seq,
					  c->id) : TOURNEY_IDLE;
	cpu_set_hw(c);
}

void cpu_interrupt(struct cpu *c, ps_t at, ps_t cost,
		   void (*fn)(struct cpu *c, void *arg, ps_t end), void *arg)
{
	struct irq *i = c->sim->irq_pool;
	struct irq **p = &c->irq;

	if (i)
		c->sim->irq_pool = i->next;
	else
		i = sim_alloc(c->sim, sizeof(*i));
	*i = (struct irq){ at, cost, c->sim->seq++, fn, arg, NULL };
	while (*p && (*p)->at <= at)
		p = &(*p)->next;
	i->next = *p;
	*p = i;
	set_irq_key(c);
}

/*
 * The handler begins at now, or when the one before it ends. A stretch of own
 * work that ends later is lengthened; whoever waits goes on after the handler.
 */
static void run_irq(struct cpu *c, ps_t now)
{
	struct irq *i = c->irq;
	const ps_t begin = now > c->irq_until ? now : c->irq_until;

	c->irq = i->next;
	c->irq_until = begin + i->cost;
	if (c->own_key != TOURNEY_IDLE &&
	    tourney_kind(c->own_key) == EV_OWN) {
		c->now = tourney_time(c->own_key) + i->cost;
		c->own_key = tourney_key(c->now, EV_OWN, c->sim->seq++, c->id);
	}
	set_irq_key(c);
	if (i->fn)
		i->fn(c, i->arg, c->irq_until);
	i->next = c->sim->irq_pool;
	c->sim->irq_pool = i;
}

void cpu_hardware(struct cpu *c, ps_t now)
{
	if (c->store_key < c->irq_key)
		line_store_arrived(c, now);
	else
		run_irq(c, now);
}

struct ipi_wait {
	struct cpu *sender;
	u32 left;
	ps_t last;
};

static void ipi_ack(struct cpu *c, void *arg, ps_t end)
{
	struct ipi_wait *w = arg;

	if (end > w->last)
		w->last = end;
	if (--w->left == 0)
		cpu_grant(w->sender, w->last, c->sim->seq++);
}

void ipi_all_and_wait(struct task *t, const u32 *cpus, u32 nr, ps_t handler)
{
	struct cpu *c = t->cpu;
	struct ipi_wait w = { .sender = c };

	cpu_park(c);
	for (u32 i = 0; i < nr; i++)
		if (cpus[i] != c->id)
			w.left++;
	if (!w.left)
		return;
	for (u32 i = 0; i < nr; i++)
		if (cpus[i] != c->id)
			cpu_interrupt(&c->sim->cpu[cpus[i]],
				      c->now + c->sim->cfg.cost.ipi, handler,
				      ipi_ack, &w);
	cpu_wait(c);
}
