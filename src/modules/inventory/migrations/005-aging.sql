-- Cards of rates that a company keeps beside the usual ones: of several the newest one that is valid on a day counts.
CREATE TABLE inventory.rate_card (
  company_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('STORAGE', 'AGED', 'LOW')),
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  valid_from date NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  volume_unit text NOT NULL CHECK (volume_unit IN ('FT3', 'M3')),
  bands jsonb NOT NULL CHECK (jsonb_typeof(bands) = 'array'),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, kind, country, valid_from)
);
CALL kit.tenant_table('inventory.rate_card');

-- What lying there will cost, of the goods in the newest planning report: made anew from the reports, never written by hand.
-- Money in the currency of the marketplace; NULL where a rate or the size of a piece is not known.
CREATE TABLE inventory.aging_forecast (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- the row of inventory.planning_day that it stands beside
  day date NOT NULL,
  row_id uuid NOT NULL,
  per_day numeric(12, 4) NOT NULL,
  volume numeric(20, 6),
  tier text NOT NULL,
  exempt boolean NOT NULL,
  -- pieces whose age is guessed within the report's band
  estimated int NOT NULL,
  next_day date NOT NULL,
  next_qty int NOT NULL,
  next_fee numeric(20, 6),
  half_fee numeric(20, 6),
  half_storage numeric(20, 6),
  -- days that the stock of the last 30 and 90 days would have lasted
  supply_30 numeric(12, 1),
  supply_90 numeric(12, 1),
  -- empty where nothing is charged
  low_band text NOT NULL,
  low_fee numeric(20, 6),
  low_month numeric(20, 6),
  to_reach int,
  reckoned_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('inventory.aging_forecast');
CREATE INDEX ledger_event_received ON inventory.ledger_event (company_id, account_id, fnsku, day)
  WHERE event = 'Receipts' AND quantity > 0;
