CALL kit.module_schema('profit');

-- Profit by store, SKU and day, counted from the money lines that count. DIRECT: money of the SKU itself. SHARE: its
-- part of the money of the whole store; sku '' holds what had no base to be shared by. Amounts carry the seller's sign
-- in the currency of the store; every money line that is no balance stands in exactly one of the amount columns.
CREATE TABLE profit.profit_daily (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- day of the marketplace on which the money was posted
  date date NOT NULL,
  sku text NOT NULL,
  currency text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('DIRECT', 'SHARE')),
  principal numeric(18, 4) NOT NULL DEFAULT 0,
  shipping numeric(18, 4) NOT NULL DEFAULT 0,
  promotion numeric(18, 4) NOT NULL DEFAULT 0,
  ship_back numeric(18, 4) NOT NULL DEFAULT 0,
  refund numeric(18, 4) NOT NULL DEFAULT 0,
  refund_fee numeric(18, 4) NOT NULL DEFAULT 0,
  commission numeric(18, 4) NOT NULL DEFAULT 0,
  dsf numeric(18, 4) NOT NULL DEFAULT 0,
  fulfil numeric(18, 4) NOT NULL DEFAULT 0,
  fba_other numeric(18, 4) NOT NULL DEFAULT 0,
  storage numeric(18, 4) NOT NULL DEFAULT 0,
  marketing numeric(18, 4) NOT NULL DEFAULT 0,
  other_fee numeric(18, 4) NOT NULL DEFAULT 0,
  ads numeric(18, 4) NOT NULL DEFAULT 0,
  reimbursement numeric(18, 4) NOT NULL DEFAULT 0,
  tax numeric(18, 4) NOT NULL DEFAULT 0,
  unmapped numeric(18, 4) NOT NULL DEFAULT 0,
  units int NOT NULL DEFAULT 0,
  orders int NOT NULL DEFAULT 0,
  refund_units int NOT NULL DEFAULT 0,
  -- pieces whose purchase cost is known, and that cost in CNY
  cost_units int NOT NULL DEFAULT 0,
  cost_cny numeric(18, 4) NOT NULL DEFAULT 0,
  -- sizes of the amounts that a settlement file proves, and of those that are still transactions
  settled_size numeric(18, 4) NOT NULL DEFAULT 0,
  open_size numeric(18, 4) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, account_id, marketplace_id, date, sku, currency, scope)
);
CREATE INDEX profit_daily_period ON profit.profit_daily (company_id, date);
CREATE INDEX profit_daily_sku ON profit.profit_daily (company_id, sku, date);
CALL kit.tenant_table('profit.profit_daily');

-- Store days whose profit must be counted again. Written in the transaction that changed the money.
CREATE TABLE profit.dirty (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  date date NOT NULL,
  sku text NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, date, sku)
);
CALL kit.tenant_table('profit.dirty');
