CALL kit.module_schema('analysis');

-- One row per listing with all that the wall of listings shows: what it is, and figures of its last days. Every row can be
-- deleted and made again from the facts to the last digit; nothing here is ever counted up. A figure is NULL where nobody
-- knows it. Sales, stock and money of several sites stay apart; stock of a pool is the same in all of its sites' rows.
CREATE TABLE analysis.listing_metric (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  listing_id uuid NOT NULL,
  -- the stock that marketplaces share ("US", "EU")
  pool text NOT NULL,
  asin text,
  -- the ASIN itself where it has no parent
  family text,
  name text NOT NULL,
  image text,
  -- what a search looks through, in lower case
  search text NOT NULL,
  state text NOT NULL,
  fulfilled_by text NOT NULL,
  price numeric(18, 4),
  currency text NOT NULL,
  opened_at timestamptz,
  -- what people said of it, from listing_care
  owner_id uuid,
  hidden boolean NOT NULL DEFAULT false,
  remark text NOT NULL DEFAULT '',
  tag_ids uuid[] NOT NULL DEFAULT '{}',
  -- whole marketplace days that end with sales_to
  units7 int,
  units15 int,
  units30 int,
  orders30 int,
  sales7 numeric(18, 4),
  sales30 numeric(18, 4),
  returns30 int,
  sales_to date,
  -- days with stock; NULL unless every day of the window was read
  stock_days7 int,
  stock_days15 int,
  stock_days30 int,
  avg_daily numeric(12, 4),
  -- seven business days that end with traffic_to, the newest that the report tells
  sessions7 int,
  page_views7 int,
  traffic_units7 int,
  -- page views that showed our offer first, and the page views of which that is known
  featured_views7 numeric(18, 4),
  featured_base7 int,
  traffic_to date,
  -- seven business days that end with ads_to
  impressions7 int,
  clicks7 int,
  ad_orders7 int,
  ad_spend7 numeric(20, 6),
  ad_sales7 numeric(20, 6),
  ads_to date,
  -- thirty business days that end with profit_to
  net_sales30 numeric(18, 4),
  platform_net30 numeric(18, 4),
  cogs30 numeric(18, 4),
  profit30 numeric(18, 4),
  cost_missing30 int,
  profit_to date,
  -- pieces of the pool: for sale, for sale soon (with those that move between warehouses), on their way
  fulfillable int,
  sellable int,
  inbound int,
  stock_at timestamptz,
  -- sum of avg_daily over the sites of the pool, and how many they are
  pool_daily numeric(14, 4),
  pool_sites int NOT NULL,
  -- the site of the pool that sells most: its row stands for the pool
  leads boolean NOT NULL,
  cover_days numeric(14, 1) GENERATED ALWAYS AS (round(sellable / nullif(pool_daily, 0), 1)) STORED,
  transit_days numeric(14, 1) GENERATED ALWAYS AS (round(inbound / nullif(pool_daily, 0), 1)) STORED,
  cover_state text GENERATED ALWAYS AS (CASE
    WHEN pool_daily IS NULL OR sellable IS NULL THEN NULL
    WHEN pool_daily = 0 THEN 'UNSOLD'
    WHEN sellable = 0 THEN 'OUT'
    WHEN sellable / pool_daily > 180 THEN 'SLOW'
    ELSE 'NORMAL' END) STORED,
  sort_daily numeric(12, 4) NOT NULL GENERATED ALWAYS AS (coalesce(avg_daily, -1)) STORED,
  -- when the row changed last
  as_of timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, seller_sku),
  UNIQUE (company_id, listing_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX listing_metric_pace ON analysis.listing_metric (company_id, sort_daily DESC, listing_id DESC);
CREATE INDEX listing_metric_owner ON analysis.listing_metric (company_id, owner_id);
CREATE INDEX listing_metric_cover ON analysis.listing_metric (company_id, cover_days);
CREATE INDEX listing_metric_sku ON analysis.listing_metric (company_id, account_id, seller_sku);
CALL kit.tenant_table('analysis.listing_metric');

-- What people say of a listing; it stays when the figures are made anew.
CREATE TABLE analysis.listing_care (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  owner_id uuid,
  hidden boolean NOT NULL DEFAULT false,
  remark text NOT NULL DEFAULT '',
  tag_ids uuid[] NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, account_id, marketplace_id, seller_sku),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX listing_care_owner ON analysis.listing_care (company_id, owner_id) WHERE owner_id IS NOT NULL;
CALL kit.tenant_table('analysis.listing_care');

-- Weights of the average of daily sales; a company without a row has the usual ones.
CREATE TABLE analysis.pace_weight (
  company_id uuid NOT NULL,
  weight30 numeric(5, 4) NOT NULL,
  weight15 numeric(5, 4) NOT NULL,
  weight7 numeric(5, 4) NOT NULL,
  -- days without stock are not counted
  skip_out boolean NOT NULL,
  version int NOT NULL DEFAULT 1,
  PRIMARY KEY (company_id),
  CHECK (weight30 >= 0 AND weight15 >= 0 AND weight7 >= 0 AND weight30 + weight15 + weight7 = 1)
);
CALL kit.tenant_table('analysis.pace_weight');

-- SKUs of an account whose rows must be made anew; all of them where none is named. Insert-only, so that whoever writes
-- facts meets no lock.
CREATE TABLE analysis.dirty (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  seller_sku text,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, id)
);
CALL kit.tenant_table('analysis.dirty');

-- When all rows of an account were made anew last.
CREATE TABLE analysis.refreshed (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('analysis.refreshed');
