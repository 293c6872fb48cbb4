CALL kit.module_schema('system');

-- What people set up for themselves

-- Column arrangements that a user saved for a list. Their owner can lend them to the whole company; which one somebody
-- uses is his own business (system.query_use).
CREATE TABLE system.query_version (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  member_id uuid NOT NULL,
  -- name of the owner when he shared it
  member_name text,
  query_name text NOT NULL,
  name text NOT NULL,
  is_shared boolean NOT NULL DEFAULT false,
  items jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, member_id, query_name, name)
);
CREATE INDEX query_version_shared ON system.query_version (company_id, query_name) WHERE is_shared;
CALL kit.tenant_table('system.query_version');

CREATE TABLE system.query_use (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  query_name text NOT NULL,
  version_id uuid NOT NULL,
  PRIMARY KEY (company_id, member_id, query_name),
  FOREIGN KEY (company_id, version_id) REFERENCES system.query_version ON DELETE CASCADE
);
CREATE INDEX query_use_version ON system.query_use (company_id, version_id);
CALL kit.tenant_table('system.query_use');

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

-- What the operator and the companies set up

-- Dictionaries. Rows of the operator's company (all zeros) are everybody's to read and the operator's to change; a
-- company lays its own rows over them, item by item.
CREATE TABLE system.dict (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  code text NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  sort int NOT NULL DEFAULT 0,
  remark text NOT NULL DEFAULT '',
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, code)
);
CALL kit.tenant_table('system.dict');
CREATE POLICY platform ON system.dict FOR SELECT USING (company_id = '00000000-0000-0000-0000-000000000000');

CREATE TABLE system.dict_item (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- by code, because a company's item may belong to a dictionary of the platform
  dict_code text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  item_type text NOT NULL DEFAULT 'text' CHECK (item_type IN ('text', 'number', 'boolean')),
  -- colour of the tag that shows it, if any
  list_class text NOT NULL DEFAULT '',
  css_class text NOT NULL DEFAULT '',
  sort int NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  remark text NOT NULL DEFAULT '',
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, dict_code, value)
);
CALL kit.tenant_table('system.dict_item');
CREATE POLICY platform ON system.dict_item FOR SELECT USING (company_id = '00000000-0000-0000-0000-000000000000');

-- Days that somebody decided about. A day without a row of the company is what the operator's company says of it, and
-- without that what the legal calendar says.
CREATE TABLE system.holiday (
  company_id uuid NOT NULL,
  day date NOT NULL,
  -- work: 工作日, weekend: 周末, holiday: 节日, makeup: 调休, a weekend that is worked
  kind text NOT NULL CHECK (kind IN ('work', 'weekend', 'holiday', 'makeup')),
  name text NOT NULL DEFAULT '',
  -- set by a person; kept when the year is generated again
  by_hand boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, day)
);
CALL kit.tenant_table('system.holiday');
CREATE POLICY platform ON system.holiday FOR SELECT USING (company_id = '00000000-0000-0000-0000-000000000000');

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

CREATE TABLE system.tag_group (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  sort int NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CALL kit.tenant_table('system.tag_group');

CREATE TABLE system.tag (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  group_id uuid NOT NULL,
  name text NOT NULL,
  color text NOT NULL DEFAULT 'info' CHECK (color IN ('info', 'blue', 'success', 'warning', 'danger')),
  sort int NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, group_id, name),
  FOREIGN KEY (company_id, group_id) REFERENCES system.tag_group
);
CALL kit.tenant_table('system.tag');

-- Schedules and long tasks

-- When a registered handler runs. Those of the product itself stand under the operator's company (all zeros).
CREATE TABLE system.schedule (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- names the handler
  key text NOT NULL,
  cron text NOT NULL,
  time_zone text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  -- smaller runs earlier when many are due at once
  priority int NOT NULL DEFAULT 0,
  description text NOT NULL DEFAULT '',
  next_run_at timestamptz,
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, key)
);
CREATE INDEX schedule_due ON system.schedule (next_run_at) WHERE is_enabled;
CALL kit.tenant_table('system.schedule', open_to_system => true);

-- One row per firing: its key is what keeps two processes from running one firing twice.
CREATE TABLE system.schedule_run (
  company_id uuid NOT NULL,
  schedule_id uuid NOT NULL,
  fire_time timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  -- who asked for it, where it was not its time
  asked_by_name text,
  attempts int NOT NULL DEFAULT 0,
  started_at timestamptz,
  finished_at timestamptz,
  result text,
  PRIMARY KEY (company_id, schedule_id, fire_time),
  FOREIGN KEY (company_id, schedule_id) REFERENCES system.schedule ON DELETE CASCADE
);
CREATE INDEX schedule_run_age ON system.schedule_run (fire_time);
CALL kit.tenant_table('system.schedule_run', open_to_system => true);

-- What happened to a long task, line by line, whoever changes it.
CREATE TABLE system.task_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  task_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.instant(),
  state text NOT NULL,
  progress int NOT NULL,
  attempt int NOT NULL,
  text text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, task_id) REFERENCES kit.task ON DELETE CASCADE
);
CREATE INDEX task_line_task ON system.task_line (company_id, task_id, id);
CALL kit.tenant_table('system.task_line', open_to_system => true, append_only => true);

-- The operation log (kit.audit) under seal

-- Seals over the operation log, a chain per company. `links` holds 32 bytes per row: the keyed hash of the link before
-- and the row. The log is kept for 24 months. What is older goes from the beginning of the chain, whole seals at a time;
-- of the last seal that went only the end is left, which the chain goes on from: `proof` is a keyed hash over it, so that
-- nobody without the key, which lies outside the database, can move the beginning of the log.
CREATE TABLE system.audit_seal (
  company_id uuid NOT NULL,
  no int NOT NULL,
  ids uuid[] NOT NULL,
  links bytea NOT NULL,
  -- last link of the seal before; empty for the first
  before bytea NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT kit.instant(),
  -- of the seal that only the end is left of: the last row that went, and how many have gone in all
  purged_to uuid,
  purged bigint,
  proof bytea,
  PRIMARY KEY (company_id, no),
  CHECK (num_nulls(purged_to, purged, proof) IN (0, 3)),
  CHECK ((purged_to IS NULL) = (cardinality(ids) > 0))
);
CALL kit.tenant_table('system.audit_seal', append_only => true);

-- Results of checking the chain.
CREATE TABLE system.audit_check (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT kit.instant(),
  is_whole boolean NOT NULL,
  checked bigint NOT NULL,
  -- rows that had gone by then: together with those that were checked they only ever become more
  purged bigint NOT NULL DEFAULT 0,
  problem text,
  audit_id uuid,
  asked_by_name text,
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('system.audit_check', append_only => true);
