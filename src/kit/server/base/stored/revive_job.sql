-- Gives one of them another round of tries; says whether there was such a job.
CREATE OR REPLACE FUNCTION kit.revive_job(job_id bigint) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  WITH revived AS (
    SELECT graphile_worker.reschedule_jobs(ARRAY[d.id], run_at => now(), attempts => 0)
      FROM kit.dead_jobs() AS d WHERE d.id = job_id)
  SELECT EXISTS (SELECT FROM revived);
$$;

REVOKE ALL ON FUNCTION kit.revive_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION kit.revive_job TO erp_app;
