-- The report of payments goes by day.
CREATE INDEX payment_day ON finance.payment (company_id, paid_on DESC, id DESC);
