-- Data rights below the company: transactions of people who may see some stores or warehouses only work as erp_scoped,
-- a role that these policies hold for. Everybody else works as erp_app and pays nothing for them.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'erp_scoped') THEN
    CREATE ROLE erp_scoped NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- two databases of one cluster being created at the same time
END $$;
DO $$
BEGIN
  GRANT erp_app TO erp_scoped;
  EXECUTE format('GRANT erp_scoped TO %I', current_user);
EXCEPTION WHEN unique_violation OR SQLSTATE 'XX000' THEN
  NULL; -- the same grant from a neighbouring database at the same moment
END $$;

-- What a change entails is done for the whole company, as erp_app, and finds the temporary tables that say what changed.
ALTER DEFAULT PRIVILEGES FOR ROLE erp_scoped GRANT ALL ON TABLES TO erp_app;

-- Ids in reach of the running transaction, NULL for all. Unset is an error, never "all".
CREATE FUNCTION kit.reach(side text, kind text) RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('app.' || side || '_' || kind), '*')::uuid[] $$;

-- Binds a table to the ids of one kind that stand in one of its columns. Rows out of reach are not seen; a write that
-- would leave such a row behind is refused with an error, so that it can be told from a row that does not exist.
CREATE PROCEDURE kit.data_scope(target regclass, kind text, id_column text) LANGUAGE plpgsql AS $$
DECLARE
  reads text := format('(SELECT kit.reach(''read'', %L)) IS NULL OR %I = ANY ((SELECT kit.reach(''read'', %L))::uuid[])', kind, id_column, kind);
  writes text := format('(SELECT kit.reach(''write'', %L)) IS NULL OR %I = ANY ((SELECT kit.reach(''write'', %L))::uuid[])', kind, id_column, kind);
BEGIN
  EXECUTE format('DROP POLICY IF EXISTS scope_read ON %s', target);
  EXECUTE format('DROP POLICY IF EXISTS scope_insert ON %s', target);
  EXECUTE format('DROP POLICY IF EXISTS scope_update ON %s', target);
  EXECUTE format('DROP POLICY IF EXISTS scope_delete ON %s', target);
  EXECUTE format('CREATE POLICY scope_read ON %s AS RESTRICTIVE FOR SELECT TO erp_scoped USING (%s)', target, reads);
  EXECUTE format('CREATE POLICY scope_insert ON %s AS RESTRICTIVE FOR INSERT TO erp_scoped WITH CHECK (%s)', target, writes);
  EXECUTE format('CREATE POLICY scope_update ON %s AS RESTRICTIVE FOR UPDATE TO erp_scoped USING (true) WITH CHECK (%s)', target, writes);
  EXECUTE format('CREATE POLICY scope_delete ON %s AS RESTRICTIVE FOR DELETE TO erp_scoped USING (%s)', target, writes);
END $$;

-- Binds a table to the reach of the row it belongs to.
CREATE PROCEDURE kit.data_scope_of(target regclass, parent regclass, child_columns text[], parent_columns text[])
LANGUAGE plpgsql AS $$
DECLARE
  same text;
BEGIN
  SELECT string_agg(format('parent.%I = %s.%I', p, target, c), ' AND ') INTO same
    FROM unnest(child_columns, parent_columns) AS pairs(c, p);
  EXECUTE format('DROP POLICY IF EXISTS scope_read ON %s', target);
  EXECUTE format('CREATE POLICY scope_read ON %s AS RESTRICTIVE FOR SELECT TO erp_scoped USING (EXISTS (SELECT FROM %s AS parent WHERE parent.company_id = %s.company_id AND %s))', target, parent, target, same);
END $$;

-- As before; a table that says which store, seller account or warehouse its rows belong to is bound to data rights by
-- itself.
CREATE OR REPLACE PROCEDURE kit.tenant_table(target regclass, open_to_system boolean DEFAULT false, append_only boolean DEFAULT false)
LANGUAGE plpgsql AS $$
DECLARE
  bound record;
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
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

-- What the starter of a long task could see: the task sees no more.
ALTER TABLE kit.task ADD COLUMN data_scope jsonb;
