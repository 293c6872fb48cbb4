-- Whether the running company is just handing everything over to another one: true in no other transaction than the one
-- that closes it. Some tables are written by nobody but functions of their module, and from some the application may not
-- delete; a company that moves takes their rows along all the same, by identity.take_away and identity.put_in, which ask
-- this first.
CREATE OR REPLACE FUNCTION identity.is_moving() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
  SELECT EXISTS (SELECT FROM identity.company
                  WHERE company_id = kit.company() AND status = 'merged' AND xmin = pg_current_xact_id()::xid)
$$;
