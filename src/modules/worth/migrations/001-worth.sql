CALL kit.module_schema('worth');

-- What stock was worth, CNY: one row per stage, place, SKU, product and disposition for the days from `from_day` until the
-- day before `to_day` on which nothing of it changed. Every month begins anew, so that a day is read from the rows of its
-- month alone and a month can be frozen.
CREATE TABLE worth.line (
  company_id uuid NOT NULL,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  -- hash of what the row is about
  key uuid NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  stage text NOT NULL CHECK (stage IN ('ORDERED', 'LOCAL', 'TRANSFER', 'FIRST_LEG', 'OVERSEAS', 'AWD', 'FBA_INBOUND',
    'FBA_FULFILLABLE', 'FBA_RESERVED', 'FBA_UNSELLABLE', 'FBA_RESEARCHING', 'REMOVAL')),
  -- a warehouse of ours, or a stock at Amazon's that sites of an account share
  warehouse_id uuid,
  account_id uuid,
  pool text,
  seller_sku text NOT NULL DEFAULT '',
  product_id uuid,
  disposition text NOT NULL DEFAULT '',
  source text NOT NULL CHECK (source IN ('LAYER', 'MIXED', 'COST', 'ORDER', 'NONE')),
  qty int NOT NULL CHECK (qty > 0),
  -- of these, pieces whose cost nobody knows: they have no value
  uncosted int NOT NULL CHECK (uncosted BETWEEN 0 AND qty),
  purchase numeric(18, 4) NOT NULL,
  first_leg numeric(18, 4) NOT NULL,
  duty numeric(18, 4) NOT NULL,
  other numeric(18, 4) NOT NULL,
  total numeric(18, 4) NOT NULL GENERATED ALWAYS AS (purchase + first_leg + duty + other) STORED,
  -- what of the total is written down
  reserve numeric(18, 4) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, month, key, from_day),
  CHECK (from_day < to_day AND from_day >= month),
  CHECK ((warehouse_id IS NULL) <> (account_id IS NULL)),
  CHECK ((account_id IS NULL) = (pool IS NULL))
);
CREATE INDEX line_product ON worth.line (company_id, product_id, month);
CALL kit.tenant_table('worth.line');

-- Keepers see what lies in their warehouses, sellers what lies at Amazon's for their stores.
DO $$
DECLARE
  action record;
  words text;
BEGIN
  CALL kit.data_scope('worth.line', 'warehouse', 'warehouse_id');
  FOR action IN SELECT * FROM (VALUES ('scope_read', 'read'), ('scope_insert', 'write'), ('scope_update', 'write'),
      ('scope_delete', 'write')) AS a(policy, side) LOOP
    words := format('(warehouse_id IS NULL OR (SELECT kit.reach(%1$L, ''warehouse'')) IS NULL
      OR warehouse_id = ANY ((SELECT kit.reach(%1$L, ''warehouse''))::uuid[]))
      AND (account_id IS NULL OR (SELECT kit.reach(%1$L, ''account'')) IS NULL
      OR account_id = ANY ((SELECT kit.reach(%1$L, ''account''))::uuid[]))', action.side);
    EXECUTE format('ALTER POLICY %I ON worth.line %s (%s)', action.policy,
      CASE WHEN action.policy IN ('scope_insert', 'scope_update') THEN 'WITH CHECK' ELSE 'USING' END, words);
  END LOOP;
END $$;

-- Days of which the worth is known; a day without a row is not a day of nothing.
CREATE TABLE worth.day (
  company_id uuid NOT NULL,
  day date NOT NULL,
  made_at timestamptz NOT NULL DEFAULT kit.now(),
  -- stocks at Amazon's, and of how many the day is known
  stocks int NOT NULL,
  stocks_known int NOT NULL CHECK (stocks_known <= stocks),
  PRIMARY KEY (company_id, day)
);
CALL kit.tenant_table('worth.day');

-- Months that somebody froze or opened again; of one without a row nobody did.
CREATE TABLE worth.month (
  company_id uuid NOT NULL,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  state text NOT NULL CHECK (state IN ('OPEN', 'FROZEN')),
  version int NOT NULL DEFAULT 1,
  -- at its last day when it was frozen, CNY; pieces without cost
  total numeric(18, 4) NOT NULL,
  reserve numeric(18, 4) NOT NULL,
  uncosted int NOT NULL,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  changed_by_name text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, month)
);
CALL kit.tenant_table('worth.month');

-- How much of the value is written down from a day on, percent; see WRITE_DOWN for those that nobody set.
CREATE TABLE worth.write_down (
  company_id uuid NOT NULL,
  disposition text NOT NULL CHECK (length(disposition) BETWEEN 1 AND 40),
  valid_from date NOT NULL,
  percent numeric(5, 2) NOT NULL CHECK (percent BETWEEN 0 AND 100),
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, disposition, valid_from)
);
CALL kit.tenant_table('worth.write_down');
