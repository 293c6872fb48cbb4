-- Up to when every row of the operation log is certainly there: nobody who began earlier is still at work. Row ids hold
-- the time at which they were written, which lies after the beginning of their transaction.
CREATE OR REPLACE FUNCTION system.audit_settled() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT CASE
    -- Sessions whose beginnings cannot be seen may be old; nothing works for half a day.
    WHEN bool_or(query = '<insufficient privilege>' OR state = 'disabled') THEN clock_timestamp() - interval '12 hours'
    ELSE least(min(xact_start), clock_timestamp()) - interval '1 second' END + kit.clock_shift()
    FROM pg_stat_activity WHERE datname = current_database()
$$;

REVOKE ALL ON FUNCTION system.audit_settled FROM PUBLIC;
GRANT EXECUTE ON FUNCTION system.audit_settled TO erp_app;
