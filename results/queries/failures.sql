-- Runs that failed, were interrupted, or found no room for an allocation.
SELECT id, design, workload, machine, nr_threads, state, va_failed, error,
	repeat
FROM run
WHERE id IN (
	SELECT id FROM run WHERE state <> 'done'
	UNION
	SELECT id FROM run WHERE va_failed > 0)
ORDER BY id
