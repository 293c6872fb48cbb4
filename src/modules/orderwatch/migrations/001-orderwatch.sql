CALL kit.module_schema('orderwatch');

-- From which figure on an order is worth a look, where the company wants another one than the usual.
CREATE TABLE orderwatch.rule (
  company_id uuid NOT NULL,
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
  threshold numeric(18, 4) NOT NULL CHECK (threshold >= 0),
  enabled boolean NOT NULL DEFAULT true,
  version int NOT NULL DEFAULT 1,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, kind)
);
CALL kit.tenant_table('orderwatch.rule');

-- What is odd about an order: one row for each kind, however often it is looked at.
CREATE TABLE orderwatch.finding (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  kind text NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  selling_partner_id text NOT NULL,
  amazon_order_id text NOT NULL,
  figure numeric(18, 4) NOT NULL,
  threshold numeric(18, 4) NOT NULL,
  words text NOT NULL DEFAULT '',
  -- GONE: it was open, and no longer holds
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'HANDLED', 'IGNORED', 'GONE')),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
  handled_by_name text,
  handled_at timestamptz,
  found_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, selling_partner_id, amazon_order_id, kind)
);
CREATE INDEX finding_list ON orderwatch.finding (company_id, state, found_at DESC, id DESC);
CALL kit.tenant_table('orderwatch.finding');

-- Orders to look at: those of a day at a site, or those that a document of money is about. Every mark is a row of its own,
-- so that whoever marks waits for nobody.
CREATE TABLE orderwatch.dirty (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text,
  local_date date,
  source_doc_id uuid,
  CHECK ((source_doc_id IS NULL) = (local_date IS NOT NULL AND marketplace_id IS NOT NULL)),
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('orderwatch.dirty');
