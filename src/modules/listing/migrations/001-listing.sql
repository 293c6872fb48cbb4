CALL kit.module_schema('listing');

-- What a seller offers: one row per SKU of an account in a marketplace, as the last snapshot that knew it says.
CREATE TABLE listing.listing (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- case-sensitive, may hold blanks and / # %
  seller_sku text NOT NULL,
  -- what addresses and screens call the row: a SKU does not fit a path
  id uuid NOT NULL DEFAULT uuidv7(),
  asin text,
  parent_asin text,
  fnsku text,
  title text,
  title_source text CHECK (title_source IN ('api', 'report')),
  image_url text,
  price numeric(18,4),
  currency text NOT NULL,
  -- merchant-fulfilled pieces; NULL where Amazon keeps the stock
  quantity int,
  fulfilled_by text NOT NULL DEFAULT 'UNKNOWN' CHECK (fulfilled_by IN ('AMAZON', 'MERCHANT', 'UNKNOWN')),
  status text NOT NULL DEFAULT 'UNKNOWN' CHECK (status IN ('ACTIVE', 'INACTIVE', 'INCOMPLETE', 'UNKNOWN')),
  condition text,
  product_type text,
  issues jsonb NOT NULL DEFAULT '[]',
  opened_at timestamptz,
  -- as Amazon states it
  last_updated_at timestamptz,
  -- who wrote the row last
  source text NOT NULL CHECK (source IN ('api', 'report')),
  -- marketplace time of the snapshot that changed it last
  as_of timestamptz NOT NULL,
  first_seen_at timestamptz NOT NULL,
  -- marketplace time of the full snapshot that no longer had it
  gone_at timestamptz,
  state text NOT NULL GENERATED ALWAYS AS (CASE WHEN gone_at IS NULL THEN status ELSE 'GONE' END) STORED,
  issue_count int NOT NULL GENERATED ALWAYS AS (jsonb_array_length(issues)) STORED,
  -- what a search looks through, in lower case
  search text NOT NULL GENERATED ALWAYS AS
    (lower(seller_sku || ' ' || coalesce(asin, '') || ' ' || coalesce(fnsku, '') || ' ' || coalesce(title, ''))) STORED,
  PRIMARY KEY (company_id, account_id, marketplace_id, seller_sku),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX listing_opened ON listing.listing (company_id, opened_at DESC NULLS LAST, id DESC);
CREATE INDEX listing_state ON listing.listing (company_id, state);
CREATE INDEX listing_asin ON listing.listing (company_id, asin);
-- No trigram index on search: LIKE is not leakproof, so under row-level security the planner never uses one, while it
-- made a bulk load four times slower. A search reads all of 200,000 listings in about 50 ms.
CALL kit.tenant_table('listing.listing');

-- Every price that a listing had after its first one.
CREATE TABLE listing.price_change (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  old_price numeric(18,4),
  new_price numeric(18,4),
  currency text NOT NULL,
  source text NOT NULL,
  -- marketplace time of the snapshot that showed it first
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id, marketplace_id, seller_sku) REFERENCES listing.listing
);
CREATE INDEX price_change_listing ON listing.price_change (company_id, account_id, marketplace_id, seller_sku, seen_at DESC);
CALL kit.tenant_table('listing.price_change', append_only => true);

-- How fresh the listings of a marketplace are; its row is locked while a snapshot is written, so that they queue up.
CREATE TABLE listing.snapshot (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- marketplace time of the newest snapshot; an older one that comes late is left alone
  as_of timestamptz NOT NULL DEFAULT '-infinity',
  -- the newest that held every listing
  full_at timestamptz,
  PRIMARY KEY (company_id, account_id, marketplace_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('listing.snapshot');

-- When a report file was taken over first: its content stays of that time, however often it is loaded again.
CREATE TABLE listing.report_load (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  report_type text NOT NULL,
  sha256 text NOT NULL,
  as_of timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, report_type, sha256),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('listing.report_load');

-- Name and picture of what an account sells: for the product cells of other modules' lists. Join on all four keys.
CREATE VIEW listing.product WITH (security_invoker = true) AS
  SELECT company_id, account_id, marketplace_id, seller_sku, coalesce(title, seller_sku) AS name, image_url AS image,
         asin, parent_asin, fnsku, fulfilled_by, state, search, id AS listing_id
    FROM listing.listing;
GRANT SELECT ON listing.product TO erp_app;
