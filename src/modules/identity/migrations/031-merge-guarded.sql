-- Some tables are written by nobody but functions of their module, and from some the application may not delete. A
-- company that moves takes their rows along all the same: by these two functions, which work in no other transaction than
-- the one that closes the company.
CREATE FUNCTION identity.is_moving() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
  SELECT EXISTS (SELECT FROM identity.company
                  WHERE company_id = kit.company() AND status = 'merged' AND xmin = pg_current_xact_id()::xid)
$$;

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

-- Gives the running company the rows that another one left in a temporary table of the transaction; answers how many.
CREATE FUNCTION identity.put_in(target regclass, staged text, columns text[], source uuid) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  own uuid := kit.company();
  list text;
  n bigint;
BEGIN
  PERFORM set_config('app.company_id', source::text, true);
  IF staged !~ '^moving_\d+$' OR NOT identity.is_moving() THEN
    RAISE EXCEPTION 'the company is not handing over';
  END IF;
  PERFORM set_config('app.company_id', own::text, true);
  SELECT string_agg(format('%I', name), ', ') INTO list FROM unnest(columns) AS name WHERE name <> 'company_id';
  EXECUTE format('INSERT INTO %s (company_id, %s) OVERRIDING SYSTEM VALUE SELECT %L::uuid, %s FROM pg_temp.%I',
                 target, list, own, list, staged);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;
REVOKE ALL ON FUNCTION identity.put_in FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.put_in TO erp_app;
