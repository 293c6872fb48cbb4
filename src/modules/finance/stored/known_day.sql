-- Rates of days that a company knows: CNY for one unit, and where each is from. Its own of a day goes before the published one.
CREATE OR REPLACE VIEW finance.known_day WITH (security_invoker = true) AS
SELECT DISTINCT ON (currency, day) currency, day, rate, source, company_id <> kit.company() AS published
  FROM finance.day_rate
 WHERE company_id IN (kit.company(), '00000000-0000-0000-0000-000000000000')
 ORDER BY currency, day, company_id <> kit.company();

GRANT SELECT ON finance.known_day TO erp_app;
