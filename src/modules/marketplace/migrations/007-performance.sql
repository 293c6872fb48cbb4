-- How an account stood in a marketplace on a day: the last report of the day. Nobody else keeps the history.
CREATE TABLE marketplace.health_snapshot (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- business day of the marketplace
  day date NOT NULL,
  standing text NOT NULL,
  payload jsonb NOT NULL,
  -- flattened: an array of metrics
  metrics jsonb NOT NULL,
  document_id uuid,
  captured_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, marketplace_id, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('marketplace.health_snapshot');

-- When a company wants to be warned; without a row as the rule has it.
CREATE TABLE marketplace.health_alert (
  company_id uuid PRIMARY KEY,
  -- the part of the way to the limit that is left when it warns
  margin numeric(4, 2) NOT NULL DEFAULT 0.20 CHECK (margin BETWEEN 0 AND 0.9),
  muted text[] NOT NULL DEFAULT '{}',
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now()
);
CALL kit.tenant_table('marketplace.health_alert');
