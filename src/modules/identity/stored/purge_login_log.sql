-- The log of log-ins is kept for 24 months. Nobody else can take rows out of it, and younger ones nobody at all. Row ids
-- hold the time at which they were written. At most so many at once; answers how many.
CREATE OR REPLACE FUNCTION identity.purge_login_log(most int) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog AS $$
DECLARE
  n bigint;
  before uuid := (lpad(to_hex(floor(extract(epoch FROM kit.now() - interval '24 months') * 1000)::bigint), 12, '0')
                  || '00000000000000000000')::uuid;
BEGIN
  DELETE FROM identity.login_log WHERE id IN (
    SELECT id FROM identity.login_log WHERE id < before ORDER BY id LIMIT most);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

REVOKE ALL ON FUNCTION identity.purge_login_log FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.purge_login_log TO erp_app;
