-- Arrangements of columns that their owner lends to the whole company; which one somebody uses is his own business.
ALTER TABLE system.query_version
  ADD COLUMN is_shared boolean NOT NULL DEFAULT false,
  -- name of the owner when he shared it
  ADD COLUMN member_name text;
CREATE INDEX query_version_shared ON system.query_version (company_id, query_name) WHERE is_shared;

CREATE TABLE system.query_use (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  query_name text NOT NULL,
  version_id uuid NOT NULL,
  PRIMARY KEY (company_id, member_id, query_name),
  FOREIGN KEY (company_id, version_id) REFERENCES system.query_version ON DELETE CASCADE
);
CREATE INDEX query_use_version ON system.query_use (company_id, version_id);

-- The rows of all companies, for whoever owns the table.
ALTER TABLE system.query_version NO FORCE ROW LEVEL SECURITY;
INSERT INTO system.query_use (company_id, member_id, query_name, version_id)
  SELECT company_id, member_id, query_name, id FROM system.query_version WHERE is_used;
ALTER TABLE system.query_version FORCE ROW LEVEL SECURITY;
CALL kit.tenant_table('system.query_use');
DROP INDEX system.query_version_used;
ALTER TABLE system.query_version DROP COLUMN is_used;
