-- Binds a table to the reach of the row it belongs to.
CREATE OR REPLACE PROCEDURE kit.data_scope_of(target regclass, parent regclass, child_columns text[], parent_columns text[])
LANGUAGE plpgsql AS $$
DECLARE
  same text;
BEGIN
  SELECT string_agg(format('parent.%I = %s.%I', p, target, c), ' AND ') INTO same
    FROM unnest(child_columns, parent_columns) AS pairs(c, p);
  EXECUTE format('DROP POLICY IF EXISTS scope_read ON %s', target);
  EXECUTE format('CREATE POLICY scope_read ON %s AS RESTRICTIVE FOR SELECT TO erp_scoped USING (EXISTS (SELECT FROM %s AS parent WHERE parent.company_id = %s.company_id AND %s))', target, parent, target, same);
END $$;
