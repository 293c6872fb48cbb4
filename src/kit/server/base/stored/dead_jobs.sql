-- Background jobs of the transaction's company that were tried so often that the queue gave them up. The queue's own
-- tables stay closed to the application role.
CREATE OR REPLACE FUNCTION kit.dead_jobs()
RETURNS TABLE (id bigint, job text, payload json, attempts int, last_error text, failed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT j.id, t.identifier, j.payload, j.attempts::int, j.last_error, j.updated_at
    FROM graphile_worker._private_jobs AS j JOIN graphile_worker._private_tasks AS t ON t.id = j.task_id
   WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL
     AND j.payload ->> 'companyId' = current_setting('app.company_id');
$$;

REVOKE ALL ON FUNCTION kit.dead_jobs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION kit.dead_jobs TO erp_app;
