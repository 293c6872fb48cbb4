-- Gives a function to the role that alone may write a ledger's tables: whoever calls it works as that role, and the
-- application's role may call it only where `open_to_app` says so.
CREATE OR REPLACE PROCEDURE kit.keep_function(target regprocedure, keeper name, open_to_app boolean DEFAULT false)
LANGUAGE plpgsql AS $$
DECLARE
  home regnamespace := (SELECT pronamespace FROM pg_proc WHERE oid = target);
BEGIN
  -- Only for the moment: a role must be able to create in a schema to be given something in it.
  EXECUTE format('GRANT CREATE ON SCHEMA %s TO %I', home, keeper);
  EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, erp_app', target);
  EXECUTE format('ALTER FUNCTION %s OWNER TO %I', target, keeper);
  IF open_to_app THEN
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO erp_app', target);
  END IF;
  EXECUTE format('REVOKE CREATE ON SCHEMA %s FROM %I', home, keeper);
END $$;
