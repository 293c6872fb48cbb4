-- Marketplaces that the operator switched on or off; one row of the operator's company each.
CREATE TABLE system.platform (
  company_id uuid NOT NULL,
  code text NOT NULL,
  is_enabled boolean NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text,
  PRIMARY KEY (company_id, code)
);
CALL kit.tenant_table('system.platform');
CREATE POLICY platform ON system.platform FOR SELECT USING (company_id = '00000000-0000-0000-0000-000000000000');
