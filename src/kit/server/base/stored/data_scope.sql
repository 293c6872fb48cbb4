-- Binds a table to the ids of one kind that stand in one of its columns. Rows out of reach are not seen; a write that
-- would leave such a row behind is refused with an error, so that it can be told from a row that does not exist.
CREATE OR REPLACE PROCEDURE kit.data_scope(target regclass, kind text, id_column text) LANGUAGE plpgsql AS $$
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
