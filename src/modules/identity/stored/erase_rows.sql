-- Takes rows of the running company out of any table, for a company that is being erased and for no other one; never from
-- its log, which the law keeps. At most so many at once, so that nobody waits long; answers how many. What lies in a
-- partitioned table goes partition by partition: a place (ctid) says nothing without its partition.
CREATE OR REPLACE FUNCTION identity.erase_rows(target regclass, most int) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog AS $$
DECLARE
  part oid;
  n bigint;
BEGIN
  IF target::text IN ('kit.audit', 'identity.login_log', 'system.audit_seal', 'system.audit_check', 'identity.company') THEN
    RAISE EXCEPTION 'the log stays';
  END IF;
  IF NOT EXISTS (SELECT FROM identity.company WHERE company_id = kit.company() AND status = 'closing') THEN
    RAISE EXCEPTION 'the company is not being erased';
  END IF;
  IF most IS NULL THEN
    EXECUTE format('DELETE FROM %s WHERE company_id = kit.company()', target);
  ELSE
    EXECUTE format('SELECT tableoid FROM %s WHERE company_id = kit.company() LIMIT 1', target) INTO part;
    IF part IS NULL THEN
      RETURN 0;
    END IF;
    EXECUTE format('DELETE FROM %1$s WHERE company_id = kit.company() AND tableoid = $1 AND ctid = ANY (ARRAY(
                      SELECT ctid FROM %1$s WHERE company_id = kit.company() AND tableoid = $1 LIMIT $2))', target)
      USING part, most;
  END IF;
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

REVOKE ALL ON FUNCTION identity.erase_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.erase_rows TO erp_app;
