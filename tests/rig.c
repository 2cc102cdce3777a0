/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small machine for tests; see rig.h. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/rig.h"

void rig_init(struct rig *r, const char *topology)
{
	char err[200] = "";
	int ret;

	memset(r, 0, sizeof(*r));
	ret = topo_init(&r->topo, topology, err, sizeof(err));
	assert_string_equal(err, "");
	assert_int_equal(ret, 0);
	r->topo.smt_ps = 6 * NS;
	for (u32 a = 0; a < r->topo.nr_llcs; a++)
		for (u32 b = 0; b < r->topo.nr_llcs; b++)
			r->topo.llc_ps[a * r->topo.nr_llcs + b] =
				(a == b ? NEAR : FAR) * NS;
	r->cfg = (struct sim_config){
		.topo = &r->topo,
		.cost = {
			.rmw = RMW * NS,
			.probe_ppm = 500000,
			.share_gap = GAP * NS,
			.poll = POLL * NS,
			.dram = DRAM * NS,
			.context_switch = SWITCH * NS,
			.wakeup = WAKEUP * NS,
			.ipi = IPI * NS,
			.irq_handler = 500 * NS,
			.slice = SLICE * NS,
		},
		.coherent = true,
		.bypass_max = 16,
		.nr_tasks_max = 2 * r->topo.nr_cpus + 16,
		.seed = 1,
	};
}

void rig_start(struct rig *r)
{
	assert_int_equal(sim_init(&r->sim, &r->cfg), 0);
}

void rig_setup(struct rig *r)
{
	rig_init(r, RIG_TOPOLOGY);
	rig_start(r);
}

void rig_run(struct rig *r)
{
	sim_run(&r->sim);
	if (r->fault)
		fail_msg("line %d: %s", r->fault_line, r->fault);
}

void rig_free(struct rig *r)
{
	sim_free(&r->sim);
	topo_free(&r->topo);
}

struct task *rig_task(struct rig *r, u32 cpu, u64 start_ns,
		      void (*fn)(struct task *, void *), void *arg)
{
	return task_create(&r->sim, cpu, "test", fn, arg, start_ns * NS);
}

void rig_fault(struct rig *r, const char *text, int line)
{
	if (r->fault)
		return;
	r->fault = text;
	r->fault_line = line;
}

/* No printf on a coroutine's stack. */
static void put_number(struct rig *r, u64 x)
{
	char digit[20];
	u32 n = 0;

	do
		digit[n++] = (char)('0' + x % 10);
	while (x /= 10);
	while (n)
		r->log[r->log_len++] = digit[--n];
}

void rig_note_at(struct rig *r, const char *what, u32 cpu, ps_t at)
{
	if (r->log_len + strlen(what) + 64 > RIG_LOG_SIZE) {
		rig_fault(r, "room in the log", 0);
		return;
	}
	if (r->log_len)
		r->log[r->log_len++] = ' ';
	while (*what)
		r->log[r->log_len++] = *what++;
	put_number(r, cpu);
	r->log[r->log_len++] = '@';
	put_number(r, at / NS);
	if (at % NS) {
		r->log[r->log_len++] = '+';
		put_number(r, at % NS);
	}
	r->log[r->log_len] = '\0';
}

void rig_note(struct task *t, const char *what)
{
	cpu_park(t->cpu);
	rig_note_at(rig_of(t), what, t->cpu->id, t->cpu->now);
}

const struct line_counts *rig_line(struct rig *r, const char *name)
{
	for (struct line_class *k = r->sim.line_classes; k; k = k->next)
		if (!strcmp(k->n.name, name))
			return &k->n;
	fail_msg("no line %s", name);
	return NULL;
}

const struct lock_counts *rig_lock(struct rig *r, const char *name)
{
	for (struct lock_class *k = r->sim.lock_classes; k; k = k->next)
		if (!strcmp(k->n.name, name))
			return &k->n;
	fail_msg("no lock %s", name);
	return NULL;
}

void rig_scenario(struct scenario *s, const char *const *set)
{
	struct assignment a[32] = { 0 };
	struct scenario_error err = { 0 };
	size_t nr = 0;

	for (; *set; set++, nr++) {
		const char *eq = strchr(*set, '=');

		assert_non_null(eq);
		assert_true(nr < ARRAY_SIZE(a));
		a[nr].key = strndup(*set, (size_t)(eq - *set));
		a[nr].value = strdup(eq + 1);
	}
	if (scenario_init(s, a, nr, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < nr; i++) {
		free(a[i].key);
		free(a[i].value);
	}
}

bool rig_dies(void (*fn)(void *arg), void *arg)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		const struct rlimit no_core = { 0 };
		const int null = open("/dev/null", O_WRONLY);

		setrlimit(RLIMIT_CORE, &no_core);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);	/* cmocka's would go on */
		signal(SIGSEGV, SIG_DFL);
		signal(SIGBUS, SIG_DFL);
		alarm(60);
		fn(arg);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		fail_msg("a child that hangs");
	return !WIFEXITED(status) || WEXITSTATUS(status);
}
