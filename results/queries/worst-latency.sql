-- The 20 runs with the longest single pair, and what its percentiles were.
SELECT id, design, workload, machine, nr_threads, latency_ns_max,
	latency_ns_p99, latency_ns_p50, preemptoff_ns_max
FROM run
WHERE latency_ns_max IS NOT NULL AND state = 'done'
ORDER BY latency_ns_max DESC, id
LIMIT 20
