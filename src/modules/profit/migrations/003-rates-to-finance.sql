-- Exchange rates belong to finance now. The owner of both tables moves the rows of every company at once, so for this
-- moment row-level security does not bind him.
ALTER TABLE profit.fx_rate NO FORCE ROW LEVEL SECURITY;
ALTER TABLE finance.month_rate NO FORCE ROW LEVEL SECURITY;
INSERT INTO finance.month_rate (company_id, currency, month, rate, source, updated_by_name, updated_at)
SELECT company_id, currency, month, rate, source, updated_by_name, updated_at FROM profit.fx_rate;
ALTER TABLE finance.month_rate FORCE ROW LEVEL SECURITY;
DROP TABLE profit.fx_rate;
