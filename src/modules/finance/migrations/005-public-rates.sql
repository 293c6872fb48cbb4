-- Published rates belong to nobody's company: everybody reads them, only the product writes them.
CREATE POLICY platform ON finance.day_rate FOR SELECT USING (company_id = '00000000-0000-0000-0000-000000000000');
-- The newest of a currency is looked for whenever a document is converted.
CREATE INDEX day_rate_newest ON finance.day_rate (currency, day DESC);
