-- Screens that a member starred, in the order of starring.
CREATE TABLE system.favourite (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  -- route of the screen, without its query
  path text NOT NULL CHECK (path LIKE '/%' AND length(path) <= 200),
  created_at timestamptz NOT NULL DEFAULT kit.instant(),
  PRIMARY KEY (company_id, member_id, path)
);
CALL kit.tenant_table('system.favourite');
