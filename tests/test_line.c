/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cache lines by hand: what a transfer costs, who is served next, when a store
 * becomes visible. Times in the logs are ns; near 20, far 100, read-modify-
 * write 5, poll 8, gap between copies 15, memory 90 (rig.h).
 */
#include <string.h>

#include "tests/rig.h"

enum op { END, READ, RMW_, WRITE, STORE, STORE2, WATCH, NOTE };

struct step {
	u64 at;			/* ns; 0: right after the one before */
	enum op op;
	struct line *line;	/* NULL: the script's */
};

struct script {
	u32 cpu;
	struct step step[12];
	struct line *line;
	u32 *word;
};

static const char *const op_names[] = {
	"", "read", "rmw", "write", "store", "store", "watch", "note",
};

static void play(struct task *t, void *arg)
{
	const struct script *s = arg;
	struct cpu *c = t->cpu;

	for (const struct step *p = s->step; p->op != END; p++) {
		struct line *l = p->line ? p->line : s->line;

		if (p->at)
			rig_until(t, p->at);
		switch (p->op) {
		case READ:
			line_read(c, l);
			break;
		case RMW_:
			line_rmw(c, l);
			break;
		case WRITE:
			line_write(c, l);
			break;
		case STORE:
			line_store(c, l, s->word, ~0u, 1);
			break;
		case STORE2:
			line_store(c, l, s->word + 1, ~0u, 1);
			break;
		case WATCH:
			line_watch(c, l);
			break;
		default:
			cpu_park(c);
			break;
		}
		rig_note_at(rig_of(t), op_names[p->op], c->id, c->now);
	}
}

/* The scripts of all CPUs at once, over lines that the test has made. */
static void play_all(struct rig *r, struct script *s, size_t nr,
		     struct line *l, u32 *word)
{
	for (size_t i = 0; i < nr; i++) {
		s[i].line = l;
		s[i].word = word;
		rig_task(r, s[i].cpu, 0, play, &s[i]);
	}
	rig_run(r);
}

#define AT(when, what)		{ .at = when, .op = what }
#define ON(when, what, where)	{ .at = when, .op = what, .line = where }
#define CPU(id, ...)		{ .cpu = id, .step = { __VA_ARGS__ } }
#define PLAY(r, l, word, ...) do {					\
	struct script script[] = { __VA_ARGS__ };			\
	play_all(r, script, ARRAY_SIZE(script), l, word);		\
} while (0)

static void setup(struct rig *r, struct line *l)
{
	rig_setup(r);
	line_init(&r->sim, l, "line");
}

static void assert_counts(struct rig *r, u64 near, u64 far, u64 accesses)
{
	const struct line_counts *n = rig_line(r, "line");

	assert_int_equal(n->transfers_near, near);
	assert_int_equal(n->transfers_far, far);
	assert_int_equal(n->accesses, accesses);
}

/* ---- one transfer ---- */

static void test_read_and_write(void **state)
{
	struct rig r;
	struct line l;

	(void)state;
	setup(&r, &l);
	PLAY(&r, &l, NULL,
	     CPU(0, AT(1000, RMW_), AT(0, RMW_), AT(0, WRITE), AT(0, READ)),
	     CPU(1, AT(2000, READ), AT(0, READ)),
	     CPU(4, AT(3000, READ)),
	     CPU(5, AT(4000, READ)));
	assert_string_equal(r.log,
		"rmw0@1095 rmw0@1100 write0@1100 read0@1100 " /* memory first */
		"read1@2020 read1@2020 "	/* from CPU 0, then a hit */
		"read4@3100 "			/* from the other cache */
		"read5@4020");			/* from CPU 4's copy */
	assert_counts(&r, 2, 2, 8);
	assert_int_equal(l.owner, 0);
	assert_int_equal(l.nr_copies, 3);
	rig_free(&r);
}

/* A copy becomes the only one: paid for by the farthest other one. */
static void test_upgrade(void **state)
{
	struct rig r;
	struct line l;

	(void)state;
	setup(&r, &l);
	PLAY(&r, &l, NULL,
	     CPU(0, AT(1000, WRITE), AT(5000, READ)),
	     CPU(1, AT(2000, READ), AT(4000, WRITE), AT(0, WRITE),
		    AT(6000, WRITE)),
	     CPU(4, AT(3000, READ), AT(7000, WRITE)));
	assert_string_equal(r.log,
		"write0@1090 read1@2020 read4@3100 "
		"write1@4100 write1@4100 "	/* CPU 4 has to answer */
		"read0@5020 "
		"write1@6020 "			/* only CPU 0 has to */
		"write4@7100");
	assert_int_equal(l.owner, 4);
	assert_int_equal(l.nr_copies, 0);
	rig_free(&r);
}

static void test_coherence_off(void **state)
{
	struct rig r;
	struct line l;

	(void)state;
	rig_init(&r, RIG_TOPOLOGY);
	r.cfg.coherent = false;
	rig_start(&r);
	line_init(&r.sim, &l, "line");
	PLAY(&r, &l, NULL,
	     CPU(0, AT(1000, RMW_), AT(0, READ)),
	     CPU(4, AT(1000, RMW_), AT(0, WRITE)));
	assert_string_equal(r.log, "rmw0@1000 rmw4@1000 read0@1000"
			    " write4@1000");
	assert_int_equal(rig_line(&r, "line")->transfers_near, 0);
	assert_int_equal(rig_line(&r, "line")->transfers_far, 0);
	rig_free(&r);
}

/* ---- several at once ---- */

/* Copies leave a gap apart and arrive in parallel. */
static void test_copies_overlap(void **state)
{
	struct rig r;
	struct line l;

	(void)state;
	setup(&r, &l);
	PLAY(&r, &l, NULL,
	     CPU(0, AT(100, WRITE)),
	     CPU(1, AT(1000, READ)),
	     CPU(2, AT(1000, READ)),
	     CPU(3, AT(1000, READ)));
	assert_string_equal(r.log, "write0@190 read1@1020 read2@1035"
			    " read3@1050");
	assert_int_equal(l.nr_copies, 3);
	rig_free(&r);
}

/* One move at a time, each after the other's instruction. */
static void test_moves_in_turn(void **state)
{
	struct rig r;
	struct line l;

	(void)state;
	setup(&r, &l);
	PLAY(&r, &l, NULL,
	     CPU(0, AT(100, WRITE)),
	     CPU(1, AT(1000, RMW_)),
	     CPU(2, AT(1000, RMW_)),
	     CPU(3, AT(1000, RMW_)));
	assert_string_equal(r.log, "write0@190 rmw1@1025 rmw2@1050 rmw3@1075");
	assert_int_equal(rig_line(&r, "line")->wait_total, (25 + 50) * NS);
	assert_int_equal(rig_line(&r, "line")->transfer_total,
			 (90 + 3 * 20) * NS);
	rig_free(&r);
}

/* Up to the probe, half way of a transfer, the owner goes on using it. */
static void test_owner_until_probed(void **state)
{
	struct rig r;
	struct line l;

	(void)state;
	setup(&r, &l);
	PLAY(&r, &l, NULL,
	     CPU(0, AT(100, WRITE), AT(1010, RMW_), AT(1045, RMW_),
		    AT(1055, RMW_)),
	     CPU(4, AT(1000, RMW_)));
	assert_string_equal(r.log, "write0@190 rmw0@1015 rmw0@1050 rmw4@1105"
			    " rmw0@1210");
	rig_free(&r);
}

/* ---- who is next ---- */

/*
 * CPU 3 has its transfer under way when the others ask, in this order:
 * 4, 5 (the other cache), 1, 2 (CPU 3's).
 */
static void contend(struct rig *r, enum arbitration how, u32 bypass_max,
		    const char *expected)
{
	struct line l;

	rig_init(r, RIG_TOPOLOGY);
	r->cfg.arbitration = how;
	r->cfg.bypass_max = bypass_max;
	rig_start(r);
	line_init(&r->sim, &l, "line");
	PLAY(r, &l, NULL,
	     CPU(0, AT(100, WRITE)),
	     CPU(3, AT(1000, RMW_)),
	     CPU(4, AT(1001, RMW_)),
	     CPU(5, AT(1002, RMW_)),
	     CPU(1, AT(1003, RMW_)),
	     CPU(2, AT(1004, RMW_)));
	assert_string_equal(r->log, expected);
	rig_free(r);
}

static void test_nearest_first(void **state)
{
	struct rig r;

	(void)state;
	contend(&r, ARBITRATE_NEAREST, 16, "write0@190 rmw3@1025 rmw1@1050"
		" rmw2@1075 rmw4@1180 rmw5@1205");
}

static void test_arrival_order(void **state)
{
	struct rig r;

	(void)state;
	contend(&r, ARBITRATE_ARRIVAL, 16, "write0@190 rmw3@1025 rmw4@1130"
		" rmw5@1155 rmw1@1260 rmw2@1285");
	contend(&r, ARBITRATE_NEAREST, 0, "write0@190 rmw3@1025 rmw4@1130"
		" rmw5@1155 rmw1@1260 rmw2@1285");
}

static void test_passed_by_once(void **state)
{
	struct rig r;

	(void)state;
	/* CPU 5, near to 4 then, has had its turn passed by as well */
	contend(&r, ARBITRATE_NEAREST, 1, "write0@190 rmw3@1025 rmw1@1050"
		" rmw4@1155 rmw5@1180 rmw2@1285");
}

struct hammer {
	struct line line;
	u32 passed_max, nr[8];
};

static void hammer(struct task *t, void *arg)
{
	struct hammer *h = arg;
	struct cpu *c = t->cpu;

	while (c->now < 200000 * NS) {
		line_rmw(c, &h->line);
		rig_check(rig_of(t), h->line.owner == c->id);
		rig_check(rig_of(t), !h->line.nr_copies);
		h->nr[c->id]++;
		if (c->req.passed > h->passed_max)
			h->passed_max = c->req.passed;
		task_work(t, NS);
	}
}

/* Nobody is passed by more often than the bound says, and it is reached. */
static void test_bypass_bound(void **state)
{
	static const u32 bound[] = { 0, 1, 3, 16 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bound); i++) {
		struct hammer h = { .passed_max = 0 };
		struct rig r;

		rig_init(&r, RIG_TOPOLOGY);
		r.cfg.bypass_max = bound[i];
		rig_start(&r);
		line_init(&r.sim, &h.line, "line");
		for (u32 cpu = 0; cpu < 8; cpu++)
			rig_task(&r, cpu, cpu, hammer, &h);
		rig_run(&r);
		assert_int_equal(h.passed_max, bound[i]);
		for (u32 cpu = 0; cpu < 8; cpu++)
			assert_true(h.nr[cpu] > 50);
		rig_free(&r);
	}
}

/* ---- stores ---- */

/* When each of two words changes, seen by a CPU that looks every ns. */
struct spy {
	u32 word[2];
	ps_t seen[2];
};

static void spy_fn(struct task *t, void *arg)
{
	struct spy *s = arg;

	for (u32 i = 0; i < 2000; i++) {
		task_work(t, NS);
		cpu_park(t->cpu);
		for (u32 k = 0; k < 2; k++)
			if (s->word[k] && !s->seen[k])
				s->seen[k] = t->cpu->now;
	}
}

/*
 * The first store waits 100 ns for its line, the second owns its line: it is
 * seen after the first all the same. An atomic waits for both.
 */
static void test_stores_in_order(void **state)
{
	struct spy spy = { .word = { 0 } };
	struct rig r;
	struct line l, own;

	(void)state;
	setup(&r, &l);
	line_init(&r.sim, &own, "own");
	rig_task(&r, 7, 0, spy_fn, &spy);
	PLAY(&r, &l, spy.word,
	     CPU(0, ON(200, WRITE, &own), AT(1000, STORE),
		    ON(0, STORE2, &own), AT(1010, NOTE), ON(0, RMW_, &own)),
	     CPU(4, AT(100, WRITE)));
	assert_string_equal(r.log, "write4@190 write0@290 store0@1000"
			    " store0@1000 note0@1010 rmw0@1105");
	assert_int_equal(spy.seen[0], 1100 * NS);
	assert_int_equal(spy.seen[1], 1100 * NS);
	rig_free(&r);
}

/* Lines of several stores are fetched at once; the last to come is late. */
static void test_stores_in_parallel(void **state)
{
	struct spy spy = { .word = { 0 } };
	struct rig r;
	struct line l, other;

	(void)state;
	setup(&r, &l);
	line_init(&r.sim, &other, "other");
	rig_task(&r, 7, 0, spy_fn, &spy);
	PLAY(&r, &l, spy.word,
	     CPU(0, AT(1000, STORE), ON(1010, STORE2, &other),
		    ON(0, RMW_, &other)),
	     CPU(1, AT(100, WRITE)),
	     CPU(4, ON(100, WRITE, &other)));
	assert_string_equal(r.log, "write1@190 write4@190 store0@1000"
			    " store0@1010 rmw0@1115");
	assert_int_equal(spy.seen[0], 1020 * NS);
	assert_int_equal(spy.seen[1], 1110 * NS);
	rig_free(&r);
}

struct many {
	struct line line[NR_STORES + 1];
	u32 word;
};

static void store_many(struct task *t, void *arg)
{
	struct many *m = arg;
	struct cpu *c = t->cpu;

	rig_until(t, 1000);
	for (u32 i = 0; i < NR_STORES; i++)
		line_store(c, &m->line[i], &m->word, ~0u, i);
	rig_note(t, "full");
	line_store(c, &m->line[NR_STORES], &m->word, ~0u, NR_STORES);
	rig_note(t, "more");
}

/* One store more than the buffer holds waits for memory. */
static void test_store_buffer_full(void **state)
{
	struct many m = { .word = 0 };
	struct rig r;

	(void)state;
	rig_setup(&r);
	for (u32 i = 0; i <= NR_STORES; i++)
		line_init(&r.sim, &m.line[i], "line");
	rig_task(&r, 0, 0, store_many, &m);
	rig_run(&r);
	assert_string_equal(r.log, "full0@1000 more0@1090");
	assert_int_equal(m.word, NR_STORES);
	rig_free(&r);
}

/*
 * Message passing over lines that are stolen all the time: a reader that sees
 * the second store of a round sees the first.
 */
struct litmus {
	struct line line[2];
	u32 word[2];
	struct rng rng[8];
	u64 fresh;		/* reads that found something new */
	bool over;
};

static void litmus_writer(struct task *t, void *arg)
{
	struct litmus *m = arg;
	struct rng *rng = &m->rng[t->cpu->id];

	for (u32 i = 1; i <= 2000; i++) {
		line_store(t->cpu, &m->line[0], &m->word[0], ~0u, i);
		task_work(t, rng_below(rng, 40) * NS);
		line_store(t->cpu, &m->line[1], &m->word[1], ~0u, i);
		task_work(t, rng_below(rng, 300) * NS);
		if (i % 64 == 0)
			line_rmw(t->cpu, &m->line[1]);
	}
	line_rmw(t->cpu, &m->line[0]);	/* empties the buffer */
	rig_check(rig_of(t), m->word[0] == 2000 && m->word[1] == 2000);
	m->over = true;
}

static void litmus_reader(struct task *t, void *arg)
{
	struct litmus *m = arg;
	struct rng *rng = &m->rng[t->cpu->id];
	u32 last = 0;

	while (!m->over) {
		u32 second, first;

		line_read(t->cpu, &m->line[1]);
		second = m->word[1];
		line_read(t->cpu, &m->line[0]);
		first = m->word[0];
		rig_check(rig_of(t), first >= second);
		rig_check(rig_of(t), second >= last);
		m->fresh += second > last;
		last = second;
		if (rng_below(rng, 3) == 0)
			line_rmw(t->cpu, &m->line[rng_below(rng, 2)]);
		task_work(t, rng_below(rng, 400) * NS);
	}
}

static void test_message_passing(void **state)
{
	(void)state;
	for (u32 seed = 0; seed < 6; seed++) {
		struct litmus m = { .over = false };
		struct rig r;

		rig_init(&r, RIG_TOPOLOGY);
		if (seed % 2)
			r.cfg.arbitration = ARBITRATE_ARRIVAL;
		rig_start(&r);
		for (u32 i = 0; i < 2; i++)
			line_init(&r.sim, &m.line[i], "line");
		for (u32 i = 0; i < 8; i++)
			rng_init(&m.rng[i], seed, 0, i, RNG_CHOICE);
		rig_task(&r, 0, 0, litmus_writer, &m);
		for (u32 i = 1; i < 8; i += 2)
			rig_task(&r, i, i, litmus_reader, &m);
		rig_run(&r);
		assert_true(m.fresh > 1000);
		rig_free(&r);
	}
}

/* ---- pollers ---- */

/* A write wakes all of them, a read or another line nobody. */
static void test_watchers(void **state)
{
	struct rig r;
	struct line l, other;

	(void)state;
	setup(&r, &l);
	line_init(&r.sim, &other, "other");
	PLAY(&r, &l, NULL,
	     CPU(0, AT(100, WRITE), AT(3000, WRITE)),
	     CPU(1, AT(1000, READ), AT(0, WATCH), AT(0, READ)),
	     CPU(2, AT(1100, READ), AT(0, WATCH), AT(0, READ)),
	     CPU(3, AT(1500, READ), ON(1600, WRITE, &other)));
	assert_string_equal(r.log,
		"write0@190 read1@1020 read2@1120 read3@1520 write3@1690 "
		"write0@3020 "
		"watch2@3028 watch1@3028 "	/* the poll later */
		"read2@3048 read1@3063");
	rig_free(&r);
}

/* ---- private lines ---- */

struct private {
	struct cline line;
	struct line_class *class;
	struct line atomic;
};

static void private_writer(struct task *t, void *arg)
{
	struct private *p = arg;
	struct cpu *c = t->cpu;

	line_write(c, &p->atomic);
	rig_until(t, 1000);
	cpu_park(c);
	cline_write(c, &p->line, p->class);
	rig_note_at(rig_of(t), "write", c->id, c->now);
	line_rmw(c, &p->atomic);
	rig_note_at(rig_of(t), "rmw", c->id, c->now);
	cline_read(c, &p->line, p->class);
	cline_write(c, &p->line, p->class);
	rig_note_at(rig_of(t), "again", c->id, c->now);
}

static void private_reader(struct task *t, void *arg)
{
	struct private *p = arg;

	rig_until(t, 2000 + 1000 * t->cpu->id);
	cpu_park(t->cpu);
	cline_read(t->cpu, &p->line, p->class);
	rig_note_at(rig_of(t), "read", t->cpu->id, t->cpu->now);
}

/* A store that misses costs nothing until an atomic waits for it. */
static void test_private_lines(void **state)
{
	struct private p = { .class = NULL };
	struct rig r;

	(void)state;
	rig_setup(&r);
	cline_init(&p.line);
	p.line.last = 0;
	p.line.owner = 4;
	p.class = line_class_get(&r.sim, "line");
	line_init(&r.sim, &p.atomic, "atomic");
	rig_task(&r, 0, 0, private_writer, &p);
	rig_task(&r, 1, 0, private_reader, &p);
	rig_task(&r, 5, 0, private_reader, &p);
	rig_run(&r);
	assert_string_equal(r.log, "write0@1000 rmw0@1105 again0@1105"
			    " read1@3020 read5@7100");
	assert_int_equal(rig_line(&r, "line")->transfers_near, 1);
	assert_int_equal(rig_line(&r, "line")->transfers_far, 2);
	assert_true(cline_has(&p.line, 0));
	assert_true(cline_has(&p.line, 1));
	assert_true(cline_has(&p.line, 5));
	assert_false(cline_has(&p.line, 2));
	rig_free(&r);
}

/* Then comes the release: seen only when the data is there. */
struct release {
	struct private data;
	struct line lock;
	struct spy spy;
};

static void release_after_data(struct task *t, void *arg)
{
	struct release *p = arg;
	struct cpu *c = t->cpu;

	line_write(c, &p->lock);
	rig_until(t, 1000);
	cpu_park(c);
	cline_write(c, &p->data.line, p->data.class);
	line_store(c, &p->lock, &p->spy.word[0], ~0u, 1);
	rig_note(t, "store");
	line_rmw(c, &p->lock);
	rig_note(t, "rmw");
}

static void test_store_after_data(void **state)
{
	struct release p = { .spy.word = { 0 } };
	struct rig r;

	(void)state;
	rig_setup(&r);
	cline_init(&p.data.line);
	p.data.line.last = 0;
	p.data.line.owner = 4;
	line_init(&r.sim, &p.lock, "line");
	rig_task(&r, 7, 0, spy_fn, &p.spy);
	rig_task(&r, 0, 0, release_after_data, &p);
	rig_run(&r);
	assert_string_equal(r.log, "store0@1000 rmw0@1105");
	assert_int_equal(p.spy.seen[0], 1100 * NS);
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_and_write),
		cmocka_unit_test(test_upgrade),
		cmocka_unit_test(test_coherence_off),
		cmocka_unit_test(test_copies_overlap),
		cmocka_unit_test(test_moves_in_turn),
		cmocka_unit_test(test_owner_until_probed),
		cmocka_unit_test(test_nearest_first),
		cmocka_unit_test(test_arrival_order),
		cmocka_unit_test(test_passed_by_once),
		cmocka_unit_test(test_bypass_bound),
		cmocka_unit_test(test_stores_in_order),
		cmocka_unit_test(test_stores_in_parallel),
		cmocka_unit_test(test_store_buffer_full),
		cmocka_unit_test(test_message_passing),
		cmocka_unit_test(test_watchers),
		cmocka_unit_test(test_private_lines),
		cmocka_unit_test(test_store_after_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
