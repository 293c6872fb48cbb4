CALL kit.module_schema('system');

-- Column arrangements that a user saved for a list.
CREATE TABLE system.query_version (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  member_id uuid NOT NULL,
  query_name text NOT NULL,
  name text NOT NULL,
  is_used boolean NOT NULL DEFAULT false,
  items jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, member_id, query_name, name)
);
CREATE UNIQUE INDEX query_version_used ON system.query_version (company_id, member_id, query_name) WHERE is_used;
CALL kit.tenant_table('system.query_version');
