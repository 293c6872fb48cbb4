CALL kit.module_schema('alert');

-- From which figure on something is worth an alert: for the company, one account, a tag or an owner. The narrowest counts.
CREATE TABLE alert.rule (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
  scope text NOT NULL CHECK (scope IN ('COMPANY', 'ACCOUNT', 'OWNER', 'TAG')),
  -- of the account, the owner or the tag
  scope_id uuid,
  threshold numeric(18, 4) NOT NULL CHECK (threshold >= 0),
  enabled boolean NOT NULL DEFAULT true,
  version int NOT NULL DEFAULT 1,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CHECK ((scope = 'COMPANY') = (scope_id IS NULL)),
  UNIQUE NULLS NOT DISTINCT (company_id, kind, scope, scope_id)
);
CALL kit.tenant_table('alert.rule');

-- One row per kind and listing, however often it comes back.
CREATE TABLE alert.alert (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  kind text NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  figure numeric(20, 4) NOT NULL,
  threshold numeric(18, 4) NOT NULL,
  words text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'CLOSED')),
  -- how often it was opened
  times int NOT NULL DEFAULT 1 CHECK (times > 0),
  opened_at timestamptz NOT NULL DEFAULT kit.now(),
  seen_at timestamptz NOT NULL DEFAULT kit.now(),
  closed_at timestamptz,
  muted_until timestamptz,
  mute_reason text NOT NULL DEFAULT '' CHECK (length(mute_reason) <= 200),
  -- who was told to see to it; else the owner of the listing does
  assignee_id uuid,
  owner_id uuid,
  version int NOT NULL DEFAULT 1,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, kind, account_id, marketplace_id, seller_sku),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  CHECK ((state = 'CLOSED') = (closed_at IS NOT NULL))
);
CREATE INDEX alert_list ON alert.alert (company_id, state, opened_at DESC, id DESC);
CALL kit.tenant_table('alert.alert');
CALL kit.data_scope('alert.alert', 'account', 'account_id');

-- The figures of an alert over time: a row for each that differs from the one before.
CREATE TABLE alert.figure (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  alert_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  what text NOT NULL CHECK (what IN ('OPEN', 'CHANGE', 'CLOSE')),
  -- null where it closed because nothing is told any more
  figure numeric(20, 4),
  threshold numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, alert_id) REFERENCES alert.alert ON DELETE CASCADE
);
CREATE INDEX figure_alert ON alert.figure (company_id, alert_id, id);
CALL kit.tenant_table('alert.figure');
CALL kit.data_scope_of('alert.figure', 'alert.alert', '{alert_id}', '{id}');
