-- Days on which a site sells otherwise than usual, planned or past: what the models leave out of the usual demand, and what
-- they multiply the days to come by.
CREATE TABLE forecast.promotion (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('deal', 'coupon', 'prime', 'price', 'offsite')),
  -- marketplace days, both included
  from_day date NOT NULL,
  to_day date NOT NULL,
  -- the SKUs that take part; empty: all that the site sells
  skus text[] NOT NULL DEFAULT '{}',
  -- how many times the usual demand somebody expects; NULL: what such days brought before
  expected numeric(6, 2) CHECK (expected > 0),
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  version int NOT NULL DEFAULT 1,
  PRIMARY KEY (company_id, id),
  CHECK (from_day <= to_day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX promotion_days ON forecast.promotion (company_id, from_day DESC, id DESC);
CREATE INDEX promotion_account ON forecast.promotion (company_id, account_id, to_day);
CALL kit.tenant_table('forecast.promotion');

-- Whoever made a change hears once that its days are over.
ALTER TABLE forecast.override ADD COLUMN told_at timestamptz;
CREATE INDEX override_over ON forecast.override (company_id, account_id, to_day) WHERE cleared_at IS NULL AND told_at IS NULL;
