-- Makes a table a tenant's: forced row-level security, rights for the application role.
-- `open_to_system` lets transactions of no company (log-in, schedulers) see all rows of this one table. A table that says
-- which store, seller account or warehouse its rows belong to is bound to data rights by itself.
CREATE OR REPLACE PROCEDURE kit.tenant_table(target regclass, open_to_system boolean DEFAULT false, append_only boolean DEFAULT false)
LANGUAGE plpgsql AS $$
DECLARE
  bound record;
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  -- While a migration fills tables of all companies its owner is not bound: the migration engine binds it at the end.
  IF current_setting('kit.filling', true) IS DISTINCT FROM 'on' THEN
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  END IF;
  EXECUTE format('CREATE POLICY company ON %s USING (company_id = (SELECT kit.company())) WITH CHECK (company_id = (SELECT kit.company()))', target);
  IF open_to_system THEN
    EXECUTE format('CREATE POLICY system ON %s USING ((SELECT current_setting(''app.scope'', true)) = ''system'')', target);
  END IF;
  IF append_only THEN
    EXECUTE format('GRANT SELECT, INSERT, MAINTAIN ON %s TO erp_app', target);
  ELSE
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE, MAINTAIN ON %s TO erp_app', target);
  END IF;
  SELECT kinds.kind, kinds.id_column INTO bound
    FROM (VALUES ('store', 'store_id', 1), ('account', 'account_id', 2), ('warehouse', 'warehouse_id', 3)) AS kinds(kind, id_column, rank)
    JOIN pg_attribute AS a ON a.attrelid = target AND a.attname = kinds.id_column AND NOT a.attisdropped
   ORDER BY rank LIMIT 1;
  IF FOUND THEN
    CALL kit.data_scope(target, bound.kind, bound.id_column);
  END IF;
END $$;
