-- Everybody's offers of a product that an account sells, as the newest word of the marketplace has them.
CREATE TABLE listing.offer_book (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  asin text NOT NULL,
  -- marketplace time of the change that a notification told of, or of the reading; an older one that comes late is left alone
  as_of timestamptz NOT NULL,
  source text NOT NULL CHECK (source IN ('notice', 'poll')),
  currency text NOT NULL,
  -- at most twenty, the lowest landed price first
  offers jsonb NOT NULL,
  offer_count int NOT NULL CHECK (offer_count >= 0),
  own_price numeric(18,4),
  own_featured boolean NOT NULL DEFAULT false,
  -- landed prices
  featured_price numeric(18,4),
  featured_seller text,
  lowest_price numeric(18,4),
  PRIMARY KEY (company_id, account_id, marketplace_id, asin),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('listing.offer_book');

-- What the books were: a row for each that differs from the one before.
CREATE TABLE listing.offer_book_past (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  asin text NOT NULL,
  as_of timestamptz NOT NULL,
  -- when it was taken over, by our clock
  seen_at timestamptz NOT NULL DEFAULT kit.now(),
  source text NOT NULL CHECK (source IN ('notice', 'poll')),
  currency text NOT NULL,
  offers jsonb NOT NULL,
  offer_count int NOT NULL CHECK (offer_count >= 0),
  own_price numeric(18,4),
  own_featured boolean NOT NULL DEFAULT false,
  featured_price numeric(18,4),
  featured_seller text,
  lowest_price numeric(18,4),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX offer_book_past_asin ON listing.offer_book_past (company_id, account_id, marketplace_id, asin, as_of DESC, id DESC);
CREATE INDEX offer_book_past_old ON listing.offer_book_past USING brin (seen_at);
CALL kit.tenant_table('listing.offer_book_past', open_to_system => true);

-- Listings whose price nobody may change for now.
CREATE TABLE listing.price_lock (
  company_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- NULL: until somebody takes it away
  until timestamptz,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  -- no key to the listing: one that came by an upload which is undone goes
  PRIMARY KEY (company_id, listing_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('listing.price_lock');

-- Whose wish a change was: a person's, or a rule's.
ALTER TABLE listing.offer_change ADD COLUMN source text NOT NULL DEFAULT 'person' CHECK (source IN ('person', 'rule'));
