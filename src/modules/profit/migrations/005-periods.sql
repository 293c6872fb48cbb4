-- Months whose profit is closed: what the report books in them never changes again until they are opened with a reason.
CREATE TABLE profit.period (
  company_id uuid NOT NULL,
  month date NOT NULL CHECK (month = date_trunc('month', month)::date),
  state text NOT NULL CHECK (state IN ('OPEN', 'CLOSED')),
  reason text NOT NULL DEFAULT '',
  changed_by_name text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT kit.now(),
  version int NOT NULL DEFAULT 1,
  PRIMARY KEY (company_id, month)
);
CALL kit.tenant_table('profit.period');

-- CNY for one unit of a currency, as a closed month is converted whatever becomes of the company's rates.
CREATE TABLE profit.period_rate (
  company_id uuid NOT NULL,
  month date NOT NULL,
  currency text NOT NULL,
  rate numeric(20, 10) NOT NULL CHECK (rate > 0),
  PRIMARY KEY (company_id, month, currency)
);
CALL kit.tenant_table('profit.period_rate');

-- What a day of a closed month turns out to be afterwards is booked in the first open month: rows of the difference, with the
-- first day of that month. All rows of a day together are always what it is; '0001-01-01' is a row booked on its own day.
ALTER TABLE profit.profit_daily ADD COLUMN late_month date NOT NULL DEFAULT '0001-01-01';
ALTER TABLE profit.profit_daily ADD COLUMN booked_date date NOT NULL
  GENERATED ALWAYS AS (CASE WHEN late_month = '0001-01-01' THEN date ELSE late_month END) STORED;
ALTER TABLE profit.profit_daily DROP CONSTRAINT profit_daily_pkey;
ALTER TABLE profit.profit_daily
  ADD PRIMARY KEY (company_id, account_id, marketplace_id, date, sku, currency, scope, late_month);
CREATE INDEX profit_daily_booked ON profit.profit_daily (company_id, booked_date);
CREATE INDEX profit_daily_late ON profit.profit_daily (company_id, late_month) WHERE late_month > '0001-01-01';
