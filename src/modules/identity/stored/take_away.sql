-- Takes the rows of the running company out of a table that the application may not delete from. Only for a company that
-- is handing everything over (identity.is_moving), and never from its log: that stays where it was sealed.
CREATE OR REPLACE FUNCTION identity.take_away(target regclass) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog AS $$
BEGIN
  IF target::text IN ('kit.audit', 'identity.login_log', 'system.audit_seal', 'system.audit_check') THEN
    RAISE EXCEPTION 'the log stays';
  END IF;
  IF NOT identity.is_moving() THEN
    RAISE EXCEPTION 'the company is not handing over';
  END IF;
  EXECUTE format('DELETE FROM %s WHERE company_id = kit.company()', target);
END $$;

REVOKE ALL ON FUNCTION identity.take_away FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.take_away TO erp_app;
