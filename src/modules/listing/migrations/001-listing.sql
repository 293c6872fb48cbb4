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
  -- The search of the frame finds a SKU by its beginning, whatever its case, while somebody types. Comparisons of a plain
  -- column go by an index also under row-level security; an expression or LIKE would not.
  sku_key text NOT NULL GENERATED ALWAYS AS (lower(seller_sku)) STORED,
  PRIMARY KEY (company_id, account_id, marketplace_id, seller_sku),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX listing_opened ON listing.listing (company_id, opened_at DESC NULLS LAST, id DESC);
CREATE INDEX listing_state ON listing.listing (company_id, state);
CREATE INDEX listing_sku ON listing.listing (company_id, sku_key);
CREATE INDEX listing_asin ON listing.listing (company_id, asin);
-- No trigram index on search: LIKE is not leakproof, so under row-level security the planner never uses one, while it
-- made a bulk load four times slower. A search reads all of 200,000 listings in about 50 ms.
CALL kit.tenant_table('listing.listing');
CALL marketplace.undoable('listing.listing');

-- Every price that a listing had after its first one. An upload that is undone leaves it as it is: it says what was seen.
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
CALL marketplace.undoable('listing.snapshot');

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
CALL marketplace.undoable('listing.report_load');

-- What people changed of offers: price or merchant-fulfilled quantity of one listing, from the wish to the marketplace's
-- own word that it holds. The listing itself is written by what is read from the marketplace alone.
CREATE TABLE listing.offer_change (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  listing_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('price', 'quantity')),
  old_value numeric(18,4),
  new_value numeric(18,4) NOT NULL,
  currency text NOT NULL,
  status text NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'accepted', 'confirmed', 'refused', 'unconfirmed', 'superseded', 'cancelled')),
  problem text,
  reason text NOT NULL DEFAULT '',
  feed_id uuid NOT NULL,
  message_id int NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  accepted_at timestamptz,
  confirmed_at timestamptz,
  -- no key to the listing: one that came by an upload which is undone goes, and what people wished stays told
  PRIMARY KEY (company_id, id)
);
-- One wish at a time: the newest is what shall hold.
CREATE UNIQUE INDEX offer_change_open ON listing.offer_change (company_id, listing_id, kind)
  WHERE status IN ('queued', 'accepted');
CREATE INDEX offer_change_site ON listing.offer_change (company_id, account_id, marketplace_id)
  WHERE status IN ('queued', 'accepted', 'unconfirmed');
CREATE INDEX offer_change_list ON listing.offer_change (company_id, created_at DESC, id DESC);
CREATE INDEX offer_change_state ON listing.offer_change (company_id, status, created_at DESC, id DESC);
CREATE INDEX offer_change_listing ON listing.offer_change (company_id, listing_id, created_at DESC);
CREATE INDEX offer_change_feed ON listing.offer_change (company_id, feed_id, message_id);
CALL kit.tenant_table('listing.offer_change');
