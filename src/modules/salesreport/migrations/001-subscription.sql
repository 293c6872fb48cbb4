CALL kit.module_schema('salesreport');

-- A filter of 销售报表 that is sent by e-mail at set times.
CREATE TABLE salesreport.subscription (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- who set it up; it pauses when he leaves
  member_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) <= 40),
  -- what a saved view holds: relative days are counted back on the day of each mail
  content jsonb NOT NULL,
  every text NOT NULL CHECK (every IN ('day', 'week', 'month')),
  -- from Monday
  weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  -- the last day of months that are shorter
  month_day smallint NOT NULL CHECK (month_day BETWEEN 1 AND 31),
  -- in the company's zone
  hour smallint NOT NULL CHECK (hour BETWEEN 0 AND 23),
  recipients uuid[] NOT NULL,
  is_paused boolean NOT NULL DEFAULT false,
  -- why the product paused it
  note text,
  next_due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id)
);
CREATE INDEX subscription_member ON salesreport.subscription (company_id, member_id);
CREATE INDEX subscription_due ON salesreport.subscription (next_due_at) WHERE NOT is_paused;
CALL kit.tenant_table('salesreport.subscription', open_to_system => true);

-- One mail: to one person for one due time.
CREATE TABLE salesreport.delivery (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  subscription_id uuid NOT NULL,
  due_at timestamptz NOT NULL,
  member_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'outbox', 'failed', 'skipped')),
  attempts int NOT NULL DEFAULT 0,
  error text,
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, subscription_id, due_at, member_id),
  FOREIGN KEY (company_id, subscription_id) REFERENCES salesreport.subscription ON DELETE CASCADE
);
CALL kit.tenant_table('salesreport.delivery');
