-- Costs of one's own (costshare.cost_line) that fall on a SKU's day: positive, in CNY, as cost_cny.
ALTER TABLE profit.profit_daily ADD COLUMN fee_cny numeric(18, 4) NOT NULL DEFAULT 0;
