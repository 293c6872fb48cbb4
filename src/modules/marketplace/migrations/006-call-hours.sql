-- Calls of an hour by account and operation: what the log of calls adds up to, so that nobody adds up millions of calls.
-- Written together with the log.
CREATE TABLE marketplace.call_hour (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  operation text NOT NULL,
  -- beginning of the hour, UTC
  hour timestamptz NOT NULL,
  -- name of a caller that is no seller's account, as in the log
  caller text,
  calls int NOT NULL,
  throttled int NOT NULL,
  -- refused or without an answer, but for the throttled ones
  failed int NOT NULL,
  ms bigint NOT NULL,
  PRIMARY KEY (company_id, account_id, operation, hour)
);
CREATE INDEX call_hour_list ON marketplace.call_hour (company_id, hour);
CREATE INDEX call_hour_old ON marketplace.call_hour USING brin (hour);
CALL kit.tenant_table('marketplace.call_hour', open_to_system => true);
