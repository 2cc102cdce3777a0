-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- Schema of a vmapsim database (results.db). This file is built into the
-- program, which creates every database from it; its comments are the
-- reference for the columns. Man page: vmapsim-db(5).
--
-- Units are in the names: _ns nanoseconds, _ps picoseconds, _s seconds, _pct
-- per cent, per_s a second. Simulated times and counters never depend on the
-- host; only elapsed_s and created do. NULL: does not apply, or not known.
-- ci95 is the half-width of the 95% confidence interval (Student's t over the
-- replications), in the unit of its mean; NULL with fewer than two.
--
-- Connections set `PRAGMA foreign_keys = ON`; deleting a run deletes all that
-- belongs to it.

PRAGMA application_id = 1986879856;	-- 0x766d6170, "vmap"
PRAGMA user_version = 1;		-- version of this schema

-- One command that made runs: a sweep, a study, a single run.
CREATE TABLE campaign (
	id INTEGER PRIMARY KEY,
	uid TEXT NOT NULL UNIQUE,	-- random hex: the same in every copy
	command TEXT NOT NULL,		-- the command line
	version TEXT NOT NULL,		-- of the program
	nr_points INTEGER NOT NULL,	-- runs that it planned
	created INTEGER NOT NULL	-- seconds since 1970, UTC
) STRICT;

-- One configuration, all its replications. The main parameters and figures
-- are columns; all parameters are in param, all figures in metric. Figures
-- are means over replications.
CREATE TABLE run (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE	-- 128-bit hash, 32 hex digits, of all
		CHECK (length(key) = 32),	-- that determines the numbers
	campaign_id INTEGER		-- that made it first
		REFERENCES campaign(id) ON DELETE SET NULL,
	design TEXT NOT NULL,		-- vmap design, '-' without one
	workload TEXT NOT NULL,
	machine TEXT NOT NULL,
	nr_threads INTEGER NOT NULL,
	seed INTEGER NOT NULL,		-- 64 bits; above 2^63 negative
	replications INTEGER NOT NULL,	-- that were run
	state TEXT NOT NULL
		CHECK (state IN ('done', 'failed', 'interrupted')),
	error TEXT,			-- of a failed run, one line
	regime TEXT NOT NULL,		-- order of waiters in lock queues:
					-- none clustered scattered mixed
	pair_ns REAL,			-- wall time of a pair in one thread
	pair_ns_ci95 REAL,
	alloc_ns REAL,			-- its allocating half
	free_ns REAL,			-- its freeing half
	throughput_per_s REAL,		-- pairs a second, all threads
	throughput_per_s_ci95 REAL,
	latency_ns_p50 REAL,		-- percentiles of a pair's time
	latency_ns_p99 REAL,
	latency_ns_max REAL,
	wait_ns_mean REAL,		-- from asking for a lock to having it
	hold_util REAL,			-- share of time a lock is held, 0..1
	preemptoff_ns_max REAL,		-- longest stretch without preemption
	va_failed REAL,			-- allocations that found no room
	far_share REAL,			-- hand-overs that left their cache
	version TEXT NOT NULL,		-- of program and model
	repeat TEXT,			-- command line that repeats the run
	elapsed_s REAL,			-- time that it took on the host
	created INTEGER NOT NULL	-- seconds since 1970, UTC
) STRICT;

-- The curves: figures by machine, workload and number of threads.
CREATE INDEX run_point ON run
	(machine, workload, nr_threads, pair_ns, design, throughput_per_s)
	WHERE state = 'done';
CREATE INDEX run_design ON run
	(design, workload, machine, nr_threads, state, throughput_per_s);
CREATE INDEX run_pair_ns ON run (pair_ns);
CREATE INDEX run_throughput ON run (throughput_per_s);
CREATE INDEX run_latency_p99 ON run (latency_ns_p99);
CREATE INDEX run_latency_max ON run (latency_ns_max);
CREATE INDEX run_campaign ON run (campaign_id);
CREATE INDEX run_not_done ON run (state) WHERE state <> 'done';
CREATE INDEX run_va_failed ON run (va_failed) WHERE va_failed > 0;

-- Every parameter of a run, defaults included, in its canonical spelling
-- ('12ns', '32M'); names are the keys of .job files.
CREATE TABLE param (
	run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
	name TEXT NOT NULL,
	value TEXT NOT NULL,
	PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;

-- Every figure that applies to a run; `vmapsim list metrics` explains them.
CREATE TABLE metric (
	run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
	name TEXT NOT NULL,
	mean REAL NOT NULL,
	ci95 REAL,
	unit TEXT NOT NULL,		-- ns, 1/s, pages; '1': a plain number
	PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;

-- One class of locks of a run, as /proc/lock_stat counts them; sums over all
-- replications. Waits are those of contended acquisitions. Exact picoseconds
-- are stored, the _ns columns are worked out from them.
CREATE TABLE lock_stat (
	run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
	seq INTEGER NOT NULL,		-- order in the report, from 0
	name TEXT NOT NULL,		-- as the kernel names it
	type TEXT NOT NULL,		-- spinlock, mutex, ...
	nr_locks INTEGER NOT NULL,	-- locks of this class
	acquisitions INTEGER NOT NULL,
	contentions INTEGER NOT NULL,	-- acquisitions that had to wait
	acq_bounces INTEGER NOT NULL,	-- acquired after another CPU's use
	con_bounces INTEGER NOT NULL,	-- the contended ones of these
	pending INTEGER NOT NULL,	-- contended, through the pending bit
	handovers INTEGER NOT NULL,	-- acquisitions after another CPU's
	far INTEGER NOT NULL,		-- of these, to another last-level cache
	wait_ps_total INTEGER NOT NULL,
	wait_ps_min INTEGER,
	wait_ps_max INTEGER NOT NULL,
	hold_ps_total INTEGER NOT NULL,
	hold_ps_min INTEGER,
	hold_ps_max INTEGER NOT NULL,
	wait_ns_total REAL AS (wait_ps_total / 1000.0) VIRTUAL,
	wait_ns_min REAL AS (wait_ps_min / 1000.0) VIRTUAL,
	wait_ns_max REAL AS (wait_ps_max / 1000.0) VIRTUAL,
	hold_ns_total REAL AS (hold_ps_total / 1000.0) VIRTUAL,
	hold_ns_min REAL AS (hold_ps_min / 1000.0) VIRTUAL,
	hold_ns_max REAL AS (hold_ps_max / 1000.0) VIRTUAL,
	PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- Lines of one name of a run; sums over all replications.
CREATE TABLE line_stat (
	run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
	seq INTEGER NOT NULL,		-- order in the report, from 0
	name TEXT NOT NULL,		-- objects that lie in it, '+' between
	nr_lines INTEGER NOT NULL,	-- lines of this name
	accesses INTEGER NOT NULL,
	transfers_near INTEGER NOT NULL,	-- inside a last-level cache
	transfers_far INTEGER NOT NULL,		-- to another one
	wait_ps_total INTEGER NOT NULL,		-- behind other transfers
	transfer_ps_total INTEGER NOT NULL,	-- in transfers themselves
	wait_ns_total REAL AS (wait_ps_total / 1000.0) VIRTUAL,
	transfer_ns_total REAL AS (transfer_ps_total / 1000.0) VIRTUAL,
	PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- Where the simulated CPU time went, as perf report shows it.
CREATE TABLE profile (
	run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
	seq INTEGER NOT NULL,		-- order in the report, from 0
	symbol TEXT NOT NULL,		-- as the kernel names it
	self_pct REAL NOT NULL,
	children_pct REAL NOT NULL,	-- with all that it calls
	PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

-- Histograms of simulated times, kept on request. data is little-endian:
-- 'vmh1'; u32 bits (2^bits buckets a power of two); u64 count, min, max in ps;
-- u64 low and u64 high half of the sum; u32 buckets that follow; of each of
-- these u32 bucket, u64 count, in rising order, empty ones left out.
CREATE TABLE histogram (
	run_id INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE,
	name TEXT NOT NULL,		-- pair, alloc, free
	count INTEGER NOT NULL,
	min_ps INTEGER,
	max_ps INTEGER,
	data BLOB NOT NULL,
	PRIMARY KEY (run_id, name)
) STRICT, WITHOUT ROWID;

-- Runs with units that people read and the parameters most asked for.
CREATE VIEW v_run AS
SELECT r.id, r.key, r.design, r.workload, r.machine, r.nr_threads, r.seed,
	(SELECT value FROM param WHERE run_id = r.id AND name = 'placement')
		AS placement,
	(SELECT value FROM param WHERE run_id = r.id AND name = 'lock')
		AS lock,
	(SELECT value FROM param WHERE run_id = r.id AND name = 'coherence')
		AS coherence,
	r.replications, r.state, r.regime,
	r.pair_ns / 1000 AS pair_us,
	100 * r.pair_ns_ci95 / r.pair_ns AS pair_ci95_pct,
	r.throughput_per_s / 1e6 AS throughput_million_per_s,
	r.latency_ns_p50 / 1000 AS latency_us_p50,
	r.latency_ns_p99 / 1000 AS latency_us_p99,
	r.latency_ns_max / 1000 AS latency_us_max,
	r.wait_ns_mean / 1000 AS wait_us_mean,
	r.hold_util, r.preemptoff_ns_max / 1000 AS preemptoff_us_max,
	r.va_failed, r.far_share, r.error, r.version, r.repeat, r.elapsed_s,
	datetime(r.created, 'unixepoch') AS created,
	c.command AS campaign
FROM run r LEFT JOIN campaign c ON c.id = r.campaign_id;

-- Pairs of finished runs that differ in the design and in nothing else: every
-- parameter that both have (cost.*, placement, ...) has the same value, the
-- version of the model is the same. better_pct: by how much `design` beats
-- `baseline` in pair_ns, positive is better. significant: 1 when the 95%
-- intervals do not overlap. Name a baseline (and a workload) when you use it.
CREATE VIEW v_compare AS
SELECT b.design AS baseline, a.design AS design, a.workload, a.machine,
	a.nr_threads, a.seed, b.id AS baseline_id, a.id AS run_id,
	b.pair_ns AS baseline_pair_ns, a.pair_ns AS pair_ns,
	100 * (b.pair_ns - a.pair_ns) / b.pair_ns AS better_pct,
	b.pair_ns / a.pair_ns AS ratio,
	abs(a.pair_ns - b.pair_ns) > a.pair_ns_ci95 + b.pair_ns_ci95
		AS significant
FROM run b JOIN run a ON a.machine = b.machine AND a.workload = b.workload
	AND a.nr_threads = b.nr_threads AND a.seed = b.seed
	AND a.version = b.version AND a.design <> b.design
WHERE a.state = 'done' AND b.state = 'done'
	AND NOT EXISTS (SELECT 1 FROM param p JOIN param q
		ON q.run_id = b.id AND q.name = p.name
		WHERE p.run_id = a.id AND p.name <> 'design'
		AND p.value <> q.value);
