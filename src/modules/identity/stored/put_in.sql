-- Gives the running company the rows that another one, `source`, left in a temporary table of the transaction, into tables
-- too that the application may not write. Only while that one is handing everything over (identity.is_moving). Answers
-- how many.
CREATE OR REPLACE FUNCTION identity.put_in(target regclass, staged text, columns text[], source uuid) RETURNS bigint
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
