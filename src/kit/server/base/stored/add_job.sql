-- Enqueues a background job in the caller's transaction. The queue's own tables are closed to the application role.
CREATE OR REPLACE FUNCTION kit.add_job(identifier text, payload json, queue_name text, run_at timestamptz, job_key text, priority int, max_attempts int, job_key_mode text)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, job_key, priority, NULL, job_key_mode);
$$;

REVOKE ALL ON FUNCTION kit.add_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION kit.add_job TO erp_app;
