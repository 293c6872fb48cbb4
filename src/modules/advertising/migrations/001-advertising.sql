CALL kit.module_schema('advertising');

-- Advertising as Amazon's advertising API tells it. Its ids are numbers of up to 64 bits that are unique only within a
-- profile and a kind, so they are kept as text behind both.

CREATE TABLE advertising.campaign (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  campaign_id text NOT NULL,
  -- what addresses and screens call the row
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  state text NOT NULL,
  targeting text NOT NULL,
  currency text NOT NULL,
  -- of a day
  budget numeric(20, 6),
  strategy text NOT NULL,
  -- added to bids at the top of search, percent
  top_percent int NOT NULL,
  -- in the rest of search and on product pages, percent
  rest_percent int NOT NULL DEFAULT 0,
  page_percent int NOT NULL DEFAULT 0,
  -- what is paid for: clicks, or a thousand showings that could be seen
  cost_type text NOT NULL DEFAULT 'CPC' CHECK (cost_type IN ('CPC', 'VCPM')),
  start_date date,
  end_date date,
  portfolio_id text NOT NULL,
  serving_status text NOT NULL,
  -- marketplace time of the reading that wrote the row last, and of the one that no longer had it
  as_of timestamptz NOT NULL,
  gone_at timestamptz,
  -- marketplace time up to which its changes have been read; NULL: never
  history_to timestamptz,
  PRIMARY KEY (company_id, profile_id, ad_product, campaign_id),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('advertising.campaign');

CREATE TABLE advertising.ad_group (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  ad_group_id text NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  campaign_id text NOT NULL,
  name text NOT NULL,
  state text NOT NULL,
  default_bid numeric(20, 6),
  as_of timestamptz NOT NULL,
  gone_at timestamptz,
  PRIMARY KEY (company_id, profile_id, ad_product, ad_group_id),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX ad_group_campaign ON advertising.ad_group (company_id, profile_id, campaign_id);
CALL kit.tenant_table('advertising.ad_group');

CREATE TABLE advertising.product_ad (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  ad_id text NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  campaign_id text NOT NULL,
  ad_group_id text NOT NULL,
  -- one of Sponsored Brands has a name and shows several products; those of the others have neither
  name text NOT NULL DEFAULT '',
  asins text[] NOT NULL DEFAULT '{}',
  seller_sku text NOT NULL,
  asin text NOT NULL,
  state text NOT NULL,
  as_of timestamptz NOT NULL,
  gone_at timestamptz,
  PRIMARY KEY (company_id, profile_id, ad_product, ad_id),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX product_ad_campaign ON advertising.product_ad (company_id, profile_id, campaign_id);
CALL kit.tenant_table('advertising.product_ad');

-- What an ad group bids on, and (negative) what it or its whole campaign shall not be shown for.
CREATE TABLE advertising.target (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  target_id text NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  campaign_id text NOT NULL,
  -- '' for what holds for the whole campaign
  ad_group_id text NOT NULL,
  negative boolean NOT NULL,
  -- EXACT, PHRASE, BROAD for keywords, else the clause
  match_type text NOT NULL,
  -- the keyword or the ASIN; '' for a clause of automatic targeting
  text text NOT NULL,
  state text NOT NULL,
  -- NULL: the ad group's default
  bid numeric(20, 6),
  as_of timestamptz NOT NULL,
  gone_at timestamptz,
  PRIMARY KEY (company_id, profile_id, ad_product, target_id),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX target_campaign ON advertising.target (company_id, profile_id, campaign_id);
CREATE INDEX target_text ON advertising.target (company_id, profile_id, lower(text));
CALL kit.tenant_table('advertising.target');

-- Figures of a business day of the profile's zone, one table per grain. Rows without a showing are not kept. Orders, units
-- and sales are those within so many days of the click, dated to the click; same_: of the advertised SKU alone.
-- Sponsored Brands and Display have one window, 14 days: after a click it stands in the columns of 14 days, after a showing
-- without a click in the columns of views. `views` are showings that could be seen. What is 0 may be left out, whatever
-- product a row is of.

CREATE TABLE advertising.campaign_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  day date NOT NULL,
  campaign_id text NOT NULL,
  impressions int NOT NULL,
  clicks int NOT NULL,
  cost numeric(20, 6) NOT NULL,
  orders_1d int NOT NULL DEFAULT 0,
  units_1d int NOT NULL DEFAULT 0,
  sales_1d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_1d int NOT NULL DEFAULT 0,
  same_units_1d int NOT NULL DEFAULT 0,
  same_sales_1d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_7d int NOT NULL DEFAULT 0,
  units_7d int NOT NULL DEFAULT 0,
  sales_7d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_7d int NOT NULL DEFAULT 0,
  same_units_7d int NOT NULL DEFAULT 0,
  same_sales_7d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_14d int NOT NULL DEFAULT 0,
  units_14d int NOT NULL DEFAULT 0,
  sales_14d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_14d int NOT NULL DEFAULT 0,
  same_units_14d int NOT NULL DEFAULT 0,
  same_sales_14d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_30d int NOT NULL DEFAULT 0,
  units_30d int NOT NULL DEFAULT 0,
  sales_30d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_30d int NOT NULL DEFAULT 0,
  same_units_30d int NOT NULL DEFAULT 0,
  same_sales_30d numeric(20, 6) NOT NULL DEFAULT 0,
  views int NOT NULL DEFAULT 0,
  view_orders int NOT NULL DEFAULT 0,
  view_units int NOT NULL DEFAULT 0,
  view_sales numeric(20, 6) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, profile_id, ad_product, campaign_id, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX campaign_day_day ON advertising.campaign_day (company_id, profile_id, day);
CALL kit.tenant_table('advertising.campaign_day');

CREATE TABLE advertising.product_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  day date NOT NULL,
  campaign_id text NOT NULL,
  ad_group_id text NOT NULL,
  ad_id text NOT NULL,
  -- '' for an ad of Sponsored Brands: it is of no SKU
  seller_sku text NOT NULL DEFAULT '',
  asin text NOT NULL DEFAULT '',
  impressions int NOT NULL,
  clicks int NOT NULL,
  cost numeric(20, 6) NOT NULL,
  orders_1d int NOT NULL DEFAULT 0,
  units_1d int NOT NULL DEFAULT 0,
  sales_1d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_1d int NOT NULL DEFAULT 0,
  same_units_1d int NOT NULL DEFAULT 0,
  same_sales_1d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_7d int NOT NULL DEFAULT 0,
  units_7d int NOT NULL DEFAULT 0,
  sales_7d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_7d int NOT NULL DEFAULT 0,
  same_units_7d int NOT NULL DEFAULT 0,
  same_sales_7d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_14d int NOT NULL DEFAULT 0,
  units_14d int NOT NULL DEFAULT 0,
  sales_14d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_14d int NOT NULL DEFAULT 0,
  same_units_14d int NOT NULL DEFAULT 0,
  same_sales_14d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_30d int NOT NULL DEFAULT 0,
  units_30d int NOT NULL DEFAULT 0,
  sales_30d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_30d int NOT NULL DEFAULT 0,
  same_units_30d int NOT NULL DEFAULT 0,
  same_sales_30d numeric(20, 6) NOT NULL DEFAULT 0,
  views int NOT NULL DEFAULT 0,
  view_orders int NOT NULL DEFAULT 0,
  view_units int NOT NULL DEFAULT 0,
  view_sales numeric(20, 6) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, profile_id, ad_product, ad_id, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX product_day_day ON advertising.product_day (company_id, profile_id, day);
CALL kit.tenant_table('advertising.product_day');

CREATE TABLE advertising.target_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  day date NOT NULL,
  campaign_id text NOT NULL,
  ad_group_id text NOT NULL,
  target_id text NOT NULL,
  impressions int NOT NULL,
  clicks int NOT NULL,
  cost numeric(20, 6) NOT NULL,
  orders_1d int NOT NULL DEFAULT 0,
  units_1d int NOT NULL DEFAULT 0,
  sales_1d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_1d int NOT NULL DEFAULT 0,
  same_units_1d int NOT NULL DEFAULT 0,
  same_sales_1d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_7d int NOT NULL DEFAULT 0,
  units_7d int NOT NULL DEFAULT 0,
  sales_7d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_7d int NOT NULL DEFAULT 0,
  same_units_7d int NOT NULL DEFAULT 0,
  same_sales_7d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_14d int NOT NULL DEFAULT 0,
  units_14d int NOT NULL DEFAULT 0,
  sales_14d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_14d int NOT NULL DEFAULT 0,
  same_units_14d int NOT NULL DEFAULT 0,
  same_sales_14d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_30d int NOT NULL DEFAULT 0,
  units_30d int NOT NULL DEFAULT 0,
  sales_30d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_30d int NOT NULL DEFAULT 0,
  same_units_30d int NOT NULL DEFAULT 0,
  same_sales_30d numeric(20, 6) NOT NULL DEFAULT 0,
  views int NOT NULL DEFAULT 0,
  view_orders int NOT NULL DEFAULT 0,
  view_units int NOT NULL DEFAULT 0,
  view_sales numeric(20, 6) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, profile_id, ad_product, target_id, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX target_day_day ON advertising.target_day (company_id, profile_id, day);
CALL kit.tenant_table('advertising.target_day');

-- What people searched for (or the product page that they looked at) before they clicked.
CREATE TABLE advertising.term_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  day date NOT NULL,
  campaign_id text NOT NULL,
  ad_group_id text NOT NULL,
  target_id text NOT NULL,
  term text NOT NULL,
  impressions int NOT NULL,
  clicks int NOT NULL,
  cost numeric(20, 6) NOT NULL,
  orders_1d int NOT NULL DEFAULT 0,
  units_1d int NOT NULL DEFAULT 0,
  sales_1d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_1d int NOT NULL DEFAULT 0,
  same_units_1d int NOT NULL DEFAULT 0,
  same_sales_1d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_7d int NOT NULL DEFAULT 0,
  units_7d int NOT NULL DEFAULT 0,
  sales_7d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_7d int NOT NULL DEFAULT 0,
  same_units_7d int NOT NULL DEFAULT 0,
  same_sales_7d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_14d int NOT NULL DEFAULT 0,
  units_14d int NOT NULL DEFAULT 0,
  sales_14d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_14d int NOT NULL DEFAULT 0,
  same_units_14d int NOT NULL DEFAULT 0,
  same_sales_14d numeric(20, 6) NOT NULL DEFAULT 0,
  orders_30d int NOT NULL DEFAULT 0,
  units_30d int NOT NULL DEFAULT 0,
  sales_30d numeric(20, 6) NOT NULL DEFAULT 0,
  same_orders_30d int NOT NULL DEFAULT 0,
  same_units_30d int NOT NULL DEFAULT 0,
  same_sales_30d numeric(20, 6) NOT NULL DEFAULT 0,
  views int NOT NULL DEFAULT 0,
  view_orders int NOT NULL DEFAULT 0,
  view_units int NOT NULL DEFAULT 0,
  view_sales numeric(20, 6) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, profile_id, ad_product, target_id, term, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX term_day_day ON advertising.term_day (company_id, profile_id, day);
CALL kit.tenant_table('advertising.term_day');

-- Where ads were shown: the top of search, the rest of it, product pages. `placement` is Amazon's word.
CREATE TABLE advertising.placement_day (LIKE advertising.campaign_day INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE advertising.placement_day
  ADD COLUMN placement text NOT NULL,
  ADD PRIMARY KEY (company_id, profile_id, ad_product, campaign_id, placement, day),
  ADD FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account;
CREATE INDEX placement_day_day ON advertising.placement_day (company_id, profile_id, day);
CALL kit.tenant_table('advertising.placement_day');

-- What was bought after ads of Sponsored Brands, by product: by it their cost is shared over what they show.
CREATE TABLE advertising.purchased_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  day date NOT NULL,
  campaign_id text NOT NULL,
  ad_group_id text NOT NULL,
  asin text NOT NULL,
  -- Promoted, or Brand Halo: of the same brand, not shown by the ad
  attribution text NOT NULL,
  orders int NOT NULL,
  units int NOT NULL,
  sales numeric(20, 6) NOT NULL,
  PRIMARY KEY (company_id, profile_id, ad_product, ad_group_id, asin, attribution, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX purchased_day_day ON advertising.purchased_day (company_id, profile_id, day);
CALL kit.tenant_table('advertising.purchased_day');

-- What was changed at the marketplace; it does not tell by whom.
CREATE TABLE advertising.change (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  profile_id bigint NOT NULL,
  ad_product text NOT NULL CHECK (ad_product IN ('SP', 'SB', 'SD')),
  campaign_id text NOT NULL,
  entity_type text NOT NULL,
  entity_id text NOT NULL,
  change_type text NOT NULL,
  at timestamptz NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  old_value text NOT NULL,
  new_value text NOT NULL,
  PRIMARY KEY (company_id, profile_id, entity_type, entity_id, change_type, at),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX change_time ON advertising.change (company_id, at DESC, id DESC);
CREATE INDEX change_campaign ON advertising.change (company_id, profile_id, campaign_id, at DESC);
CALL kit.tenant_table('advertising.change');

-- How each day of a grain was read last: a day whose content is the same is not written again.
CREATE TABLE advertising.slice (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  profile_id bigint NOT NULL,
  grain text NOT NULL,
  day date NOT NULL,
  rows int NOT NULL,
  cost numeric(20, 6) NOT NULL,
  content_hash text NOT NULL,
  -- counts the contents that the day has had
  version int NOT NULL DEFAULT 1,
  -- marketplace time at which the report was asked for
  as_of timestamptz NOT NULL,
  PRIMARY KEY (company_id, profile_id, grain, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('advertising.slice');

-- Reports that Amazon makes for us: asked for, ready after minutes or hours, read once.
CREATE TABLE advertising.report_request (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  profile_id bigint NOT NULL,
  grain text NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  remote_id text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'loaded', 'failed', 'abandoned')),
  polls int NOT NULL DEFAULT 0,
  -- marketplace time: what the report says is as of then
  as_of timestamptz NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT kit.now(),
  ended_at timestamptz,
  rows int,
  error text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE UNIQUE INDEX report_request_open ON advertising.report_request (company_id, profile_id, grain, from_day, to_day)
  WHERE state = 'open';
CREATE INDEX report_request_time ON advertising.report_request (company_id, asked_at DESC);
CALL kit.tenant_table('advertising.report_request');
