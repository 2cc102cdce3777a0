-- Where each curve bends: the fewest threads with 95% of its best throughput.
WITH point AS (
	SELECT machine, workload, design, nr_threads,
		max(throughput_per_s) AS per_s
	FROM run
	WHERE state = 'done' AND throughput_per_s IS NOT NULL
	GROUP BY design, workload, machine, nr_threads
), peak AS (
	SELECT machine, workload, design, max(per_s) AS peak_per_s,
		nr_threads AS peak_threads, count(*) AS points
	FROM point
	GROUP BY machine, workload, design
)
SELECT machine, workload, design, points,
	min(p.nr_threads) AS knee_threads, per_s AS knee_per_s,
	peak_threads, peak_per_s
FROM peak JOIN point p USING (machine, workload, design)
WHERE p.per_s >= 0.95 * peak_per_s
GROUP BY machine, workload, design
ORDER BY machine, workload, design
