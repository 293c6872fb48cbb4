-- 物流商: who carries pieces to Amazon, with the channels that they offer and what these cost.
CREATE TABLE shipping.carrier (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  code text NOT NULL DEFAULT '' CHECK (length(code) <= 30),
  contact text NOT NULL DEFAULT '' CHECK (length(contact) <= 50),
  phone text NOT NULL DEFAULT '' CHECK (length(phone) <= 30),
  -- how he is paid, in words
  terms text NOT NULL DEFAULT '' CHECK (length(terms) <= 100),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  disabled boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX carrier_name ON shipping.carrier (company_id, lower(name));
CREATE INDEX carrier_disabled ON shipping.carrier (company_id, disabled, id DESC);
CALL kit.tenant_table('shipping.carrier');

-- 渠道: one way of a carrier into one country, and how he measures what he is given.
CREATE TABLE shipping.channel (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  carrier_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60 AND name = btrim(name)),
  mode text NOT NULL CHECK (mode IN ('SEA', 'AIR', 'EXPRESS', 'RAIL', 'TRUCK')),
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  -- names of regions, beginnings of fulfilment centres or of postal codes, with commas between; empty: the whole country
  zone text NOT NULL DEFAULT '' CHECK (length(zone) <= 200),
  days_min int CHECK (days_min > 0),
  days_max int CHECK (days_max > 0),
  bill_unit text NOT NULL CHECK (bill_unit IN ('KG', 'CBM')),
  -- cm³ for one kg
  divisor int NOT NULL DEFAULT 6000 CHECK (divisor > 0),
  -- kg up to whose multiples weight is rounded; 0: it is not
  weight_step numeric(8, 3) NOT NULL DEFAULT 0 CHECK (weight_step >= 0),
  round_per text NOT NULL CHECK (round_per IN ('BOX', 'SHIPMENT')),
  -- kg or m³ of one shipment, as bill_unit says
  min_billable numeric(12, 3) NOT NULL DEFAULT 0 CHECK (min_billable >= 0),
  -- 分泡: share of the volume above the weight that is not paid for
  split_rate numeric(5, 4) NOT NULL DEFAULT 0 CHECK (split_rate BETWEEN 0 AND 1),
  break_up boolean NOT NULL DEFAULT false,
  kg_per_cbm numeric(10, 3) CHECK (kg_per_cbm > 0),
  disabled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, id),
  CONSTRAINT days_in_order CHECK (days_min <= days_max),
  FOREIGN KEY (company_id, carrier_id) REFERENCES shipping.carrier
);
CREATE UNIQUE INDEX channel_name ON shipping.channel (company_id, carrier_id, lower(name));
CREATE INDEX channel_country ON shipping.channel (company_id, country);
CALL kit.tenant_table('shipping.channel');

-- 价卡: what a channel costs from a day on. Of those that have begun the one with the highest seq counts, so a new one
-- ends those before it and none of them is ever written again.
CREATE TABLE shipping.price_version (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  channel_id uuid NOT NULL,
  seq int NOT NULL CHECK (seq > 0),
  valid_from date NOT NULL,
  valid_to date,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  fuel numeric(6, 4) NOT NULL DEFAULT 0 CHECK (fuel >= 0),
  min_charge numeric(18, 4) NOT NULL DEFAULT 0 CHECK (min_charge >= 0),
  -- fixed fees in order: name, amount, per SHIPMENT or BOX
  fees jsonb NOT NULL DEFAULT '[]',
  origin text NOT NULL CHECK (origin IN ('manual', 'import')),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, channel_id, seq),
  CONSTRAINT ends_after_it_begins CHECK (valid_to >= valid_from),
  FOREIGN KEY (company_id, channel_id) REFERENCES shipping.channel
);
CALL kit.tenant_table('shipping.price_version', append_only => true);

CREATE TABLE shipping.price_tier (
  company_id uuid NOT NULL,
  version_id uuid NOT NULL,
  -- kg or m³ of a shipment, both included; without an end: whatever is more
  from_qty numeric(12, 3) NOT NULL CHECK (from_qty >= 0),
  to_qty numeric(12, 3),
  price numeric(18, 6) NOT NULL CHECK (price > 0),
  PRIMARY KEY (company_id, version_id, from_qty),
  CONSTRAINT tier_in_order CHECK (to_qty >= from_qty),
  FOREIGN KEY (company_id, version_id) REFERENCES shipping.price_version
);
CALL kit.tenant_table('shipping.price_tier', append_only => true);
