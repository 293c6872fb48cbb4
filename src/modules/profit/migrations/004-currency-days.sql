-- On which days a store's rollup has which currencies: a report must know them before it reads, and would otherwise read the
-- rollup twice. Kept by the count of each month.
CREATE TABLE profit.currency_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  date date NOT NULL,
  currency text NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, date, currency)
);
CREATE INDEX currency_day_period ON profit.currency_day (company_id, date, currency);
CALL kit.tenant_table('profit.currency_day');
INSERT INTO profit.currency_day (company_id, account_id, marketplace_id, date, currency)
SELECT DISTINCT company_id, account_id, marketplace_id, date, currency FROM profit.profit_daily;
