-- Sponsored Brands and Sponsored Display beside Sponsored Products; figures by placement; what was changed, and when.

-- Adding up what is left out of a table's rows must not depend on which product they are of.
DO $$
DECLARE c record;
BEGIN
  FOR c IN SELECT table_name, column_name FROM information_schema.columns
            WHERE table_schema = 'advertising' AND table_name IN ('campaign_day', 'product_day', 'target_day', 'term_day')
              AND column_name ~ '_(1|7|14|30)d$'
  LOOP
    EXECUTE format('ALTER TABLE advertising.%I ALTER COLUMN %I SET DEFAULT 0', c.table_name, c.column_name);
  END LOOP;
END $$;

-- An ad of Sponsored Brands is of no SKU.
ALTER TABLE advertising.product_day
  ALTER COLUMN seller_sku SET DEFAULT '',
  ALTER COLUMN asin SET DEFAULT '';

ALTER TABLE advertising.campaign
  -- what is paid for: clicks, or a thousand showings that could be seen
  ADD COLUMN cost_type text NOT NULL DEFAULT 'CPC' CHECK (cost_type IN ('CPC', 'VCPM')),
  -- added to bids in the rest of search and on product pages, percent
  ADD COLUMN rest_percent int NOT NULL DEFAULT 0,
  ADD COLUMN page_percent int NOT NULL DEFAULT 0,
  -- marketplace time up to which its changes have been read; NULL: never
  ADD COLUMN history_to timestamptz;

-- An ad of Sponsored Brands has a name and shows several products; those of the others have neither.
ALTER TABLE advertising.product_ad
  ADD COLUMN name text NOT NULL DEFAULT '',
  ADD COLUMN asins text[] NOT NULL DEFAULT '{}';

-- Brands and display have one window, 14 days: after a click it stands in the columns of 14 days, after a showing
-- without a click in the columns of views. `views` are showings that could be seen.
ALTER TABLE advertising.campaign_day
  ADD COLUMN views int NOT NULL DEFAULT 0,
  ADD COLUMN view_orders int NOT NULL DEFAULT 0,
  ADD COLUMN view_units int NOT NULL DEFAULT 0,
  ADD COLUMN view_sales numeric(20, 6) NOT NULL DEFAULT 0;
ALTER TABLE advertising.product_day
  ADD COLUMN views int NOT NULL DEFAULT 0,
  ADD COLUMN view_orders int NOT NULL DEFAULT 0,
  ADD COLUMN view_units int NOT NULL DEFAULT 0,
  ADD COLUMN view_sales numeric(20, 6) NOT NULL DEFAULT 0;
ALTER TABLE advertising.target_day
  ADD COLUMN views int NOT NULL DEFAULT 0,
  ADD COLUMN view_orders int NOT NULL DEFAULT 0,
  ADD COLUMN view_units int NOT NULL DEFAULT 0,
  ADD COLUMN view_sales numeric(20, 6) NOT NULL DEFAULT 0;
ALTER TABLE advertising.term_day
  ADD COLUMN views int NOT NULL DEFAULT 0,
  ADD COLUMN view_orders int NOT NULL DEFAULT 0,
  ADD COLUMN view_units int NOT NULL DEFAULT 0,
  ADD COLUMN view_sales numeric(20, 6) NOT NULL DEFAULT 0;

-- Where ads were shown: the top of search, the rest of it, product pages. `placement` is Amazon's word.
CREATE TABLE advertising.placement_day (LIKE advertising.campaign_day INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
ALTER TABLE advertising.placement_day
  ADD COLUMN placement text NOT NULL,
  ADD PRIMARY KEY (company_id, profile_id, ad_product, campaign_id, placement, day),
  ADD FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account;
CREATE INDEX placement_day_day ON advertising.placement_day (company_id, profile_id, day);
CALL kit.tenant_table('advertising.placement_day');
CALL kit.data_scope('advertising.placement_day', 'account', 'account_id');

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
CALL kit.data_scope('advertising.purchased_day', 'account', 'account_id');

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
CALL kit.data_scope('advertising.change', 'account', 'account_id');
