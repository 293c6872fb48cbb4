-- The rollup by month: a report over a year reads a row for each SKU and month, and not one for each of their days. `date` is
-- the first day of the month in which the money was posted, the other columns are sums of those of profit.profit_daily.
CREATE TABLE profit.profit_monthly (
  LIKE profit.profit_daily INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED,
  -- what of `units - cost_units`, `settled_size` and `open_size` is above nothing, added up day by day
  missing_units int NOT NULL,
  sure_size numeric(18, 4) NOT NULL,
  unsure_size numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, date, sku, currency, scope, late_month)
);
CREATE INDEX profit_monthly_period ON profit.profit_monthly (company_id, date);
CREATE INDEX profit_monthly_booked ON profit.profit_monthly (company_id, booked_date);
CREATE INDEX profit_monthly_sku ON profit.profit_monthly (company_id, sku, date);
CALL kit.tenant_table('profit.profit_monthly');

-- Months of stores whose days have moved since they were added up: a report reads their days.
CREATE TABLE profit.month_stale (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  month date NOT NULL CHECK (month = date_trunc('month', month)::date),
  PRIMARY KEY (company_id, account_id, marketplace_id, month)
);
CALL kit.tenant_table('profit.month_stale');
INSERT INTO profit.month_stale (company_id, account_id, marketplace_id, month)
SELECT DISTINCT company_id, account_id, marketplace_id, date_trunc('month', date)::date FROM profit.profit_daily;
