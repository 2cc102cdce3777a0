-- The fastest design at each machine, workload and number of threads.
SELECT machine, workload, nr_threads, design, min(pair_ns) AS pair_ns,
	throughput_per_s
FROM run
WHERE state = 'done' AND pair_ns IS NOT NULL
GROUP BY machine, workload, nr_threads
ORDER BY machine, workload, nr_threads
