-- What limits each run: the lock that its threads waited for longest.
SELECT r.id, r.design, r.workload, r.machine, r.nr_threads, l.name AS lock,
	100.0 * max(l.wait_ps_total) / nullif(sum(l.wait_ps_total), 0)
		AS share_pct,
	l.wait_ns_total / nullif(l.contentions, 0) AS wait_ns_avg,
	l.hold_ns_total / nullif(l.acquisitions, 0) AS hold_ns_avg,
	100.0 * l.contentions / nullif(l.acquisitions, 0) AS contended_pct
FROM run r JOIN lock_stat l ON l.run_id = r.id
WHERE r.state = 'done'
GROUP BY r.id
ORDER BY r.id
