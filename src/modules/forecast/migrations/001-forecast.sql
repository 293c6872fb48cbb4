CALL kit.module_schema('forecast');

-- What is forecast: a SKU in a stock of an account ("US", "EU", a marketplace for what its seller ships), with what the newest
-- run says of it. Figures of days are whole ten-thousandths of a unit; everything but what people said can be made again.
CREATE TABLE forecast.item (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  pool text NOT NULL,
  seller_sku text NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- the marketplaces that sell out of the stock, and the one that sells most: it names the row
  sites text[] NOT NULL,
  marketplace_id text NOT NULL,
  fulfilled_by text NOT NULL,
  asin text,
  -- what a search looks through, in lower case
  search text NOT NULL,
  -- the last day that was known
  cutoff date NOT NULL,
  class text NOT NULL,
  model text NOT NULL,
  -- units a day of the model from the day after the cut-off on, and with what people changed (NULL: nothing)
  mean int[] NOT NULL,
  published int[],
  -- scaled distances of p50, p80, p90, p95: see quantilesOf()
  distances float8[] NOT NULL,
  -- averages a day over the last days with stock, in ten-thousandths; pace is weighed by the company's weights
  daily7 int NOT NULL,
  daily15 int NOT NULL,
  daily30 int NOT NULL,
  pace int NOT NULL,
  -- of the last thirty days, and whether the last one was one
  out_days int NOT NULL,
  is_out boolean NOT NULL,
  -- ten-thousandths: what was sold in the last 30 days, the next 30 days as published, their quantiles, three whole months to come
  sold30 bigint NOT NULL,
  next30 bigint NOT NULL,
  p80 bigint NOT NULL,
  p90 bigint NOT NULL,
  p95 bigint NOT NULL,
  month1 bigint NOT NULL,
  month2 bigint NOT NULL,
  month3 bigint NOT NULL,
  -- next30 ÷ sold30 − 1; NULL where nothing was sold
  change numeric(14, 4) GENERATED ALWAYS AS (round(next30 / nullif(sold30, 0)::numeric - 1, 4)) STORED,
  run_id uuid NOT NULL,
  as_of timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, pool, seller_sku),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
-- Lists add up all rows and show no days: these lie apart.
ALTER TABLE forecast.item SET (toast_tuple_target = 256);
ALTER TABLE forecast.item ALTER COLUMN mean SET STORAGE EXTERNAL, ALTER COLUMN published SET STORAGE EXTERNAL;
CREATE INDEX item_next ON forecast.item (company_id, next30 DESC, id DESC);
CREATE INDEX item_class ON forecast.item (company_id, class);
CALL kit.tenant_table('forecast.item');

-- What people said of an item; it stays when figures are made anew.
CREATE TABLE forecast.care (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  pool text NOT NULL,
  seller_sku text NOT NULL,
  -- the model that it keeps, whatever scores say
  locked_model text,
  -- SKUs of the same stock whose life a new one is likely to repeat
  reference_skus text[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, account_id, pool, seller_sku),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('forecast.care');

-- Changes that people made to a forecast, in the order of their ids; one that was taken back stays, with who did it.
CREATE TABLE forecast.override (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  pool text NOT NULL,
  seller_sku text NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  mode text NOT NULL CHECK (mode IN ('ABS', 'PCT', 'MONTH')),
  value numeric(14, 4) NOT NULL CHECK (value >= 0),
  reason text NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  cleared_by_name text,
  cleared_at timestamptz,
  PRIMARY KEY (company_id, id),
  CHECK (from_day <= to_day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX override_item ON forecast.override (company_id, account_id, pool, seller_sku, to_day) WHERE cleared_at IS NULL;
CALL kit.tenant_table('forecast.override');

-- Runs, one for each account and day.
CREATE TABLE forecast.run (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT kit.now(),
  ended_at timestamptz,
  items int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX run_account ON forecast.run (company_id, account_id, started_at DESC);
CALL kit.tenant_table('forecast.run');

-- How forecasts did: the days after an origin held against what was sold. Sums of days, so that those of several items add up.
CREATE TABLE forecast.accuracy (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  pool text NOT NULL,
  seller_sku text NOT NULL,
  -- the last day that the forecast knew; the days that are measured follow it
  origin date NOT NULL,
  days int NOT NULL,
  -- made afterwards from what was known on that day, not published then
  simulated boolean NOT NULL,
  class text NOT NULL,
  model text NOT NULL,
  -- units, and Σ|a−f|, Σ(f−a) of the model, of what was published, and Σ|a−f| of what it is held against (NULL: it says nothing)
  actual numeric(16, 4) NOT NULL,
  abs_model numeric(16, 4) NOT NULL,
  sign_model numeric(16, 4) NOT NULL,
  abs_published numeric(16, 4) NOT NULL,
  sign_published numeric(16, 4) NOT NULL,
  abs_naive numeric(16, 4) NOT NULL,
  abs_seasonal numeric(16, 4) NOT NULL,
  abs_last_year numeric(16, 4),
  -- actual of the items of which last year's sales are known
  actual_last_year numeric(16, 4),
  -- pinball loss of the sum at p50, p80, p90, p95 together, and whether the sum was at or below p80 and p90
  pinball numeric(16, 4) NOT NULL,
  covered80 boolean NOT NULL,
  covered90 boolean NOT NULL,
  PRIMARY KEY (company_id, account_id, pool, seller_sku, origin),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX accuracy_origin ON forecast.accuracy (company_id, origin);
CALL kit.tenant_table('forecast.accuracy');

-- What was published at the end of a day, kept until it can be held against what was sold.
CREATE TABLE forecast.kept (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  pool text NOT NULL,
  seller_sku text NOT NULL,
  origin date NOT NULL,
  class text NOT NULL,
  model text NOT NULL,
  mean int[] NOT NULL,
  published int[],
  distances float8[] NOT NULL,
  PRIMARY KEY (company_id, account_id, pool, seller_sku, origin),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX kept_origin ON forecast.kept (company_id, account_id, origin);
CALL kit.tenant_table('forecast.kept');
