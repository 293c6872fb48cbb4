-- Filters and order of a list that a member saved under a name. Their owner can show them to the whole company.
CREATE TABLE system.list_view (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  member_id uuid NOT NULL,
  -- name of the owner when he shared it
  member_name text,
  query_name text NOT NULL,
  name text NOT NULL CHECK (length(name) <= 40),
  is_shared boolean NOT NULL DEFAULT false,
  -- filter, order, and the ranges of days that are counted back from the day on which the view is opened
  content jsonb NOT NULL,
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, member_id, query_name, name)
);
CREATE INDEX list_view_shared ON system.list_view (company_id, query_name) WHERE is_shared;
CALL kit.tenant_table('system.list_view');

-- With which view a member finds a list when he opens it.
CREATE TABLE system.list_view_default (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  query_name text NOT NULL,
  view_id uuid NOT NULL,
  PRIMARY KEY (company_id, member_id, query_name),
  FOREIGN KEY (company_id, view_id) REFERENCES system.list_view ON DELETE CASCADE
);
CREATE INDEX list_view_default_view ON system.list_view_default (company_id, view_id);
CALL kit.tenant_table('system.list_view_default');
