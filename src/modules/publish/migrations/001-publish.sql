CALL kit.module_schema('publish');

-- What Amazon says a product type is made of, as a seller may list it in a marketplace: one row each, read again by its age.
CREATE TABLE publish.definition (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  product_type text NOT NULL,
  requirements text NOT NULL,
  display_name text NOT NULL,
  version text NOT NULL,
  -- Base64 of the MD5 of the schema's text
  checksum text NOT NULL,
  -- JSON as it came: the order of its fields is that of the form
  schema_text text NOT NULL,
  groups_text text NOT NULL,
  fetched_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, marketplace_id, product_type, requirements),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('publish.definition');

-- A listing as somebody wants it to be, from the first word to what the marketplace shows. The listing itself is written by
-- what is read from the marketplace alone.
CREATE TABLE publish.draft (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  -- whether the listing was there before
  is_new boolean NOT NULL,
  -- no key to it: a listing that came by an upload which is undone goes
  listing_id uuid,
  origin text NOT NULL CHECK (origin IN ('listing', 'new', 'asin', 'restore', 'copy')),
  product_type text NOT NULL,
  requirements text NOT NULL,
  title text NOT NULL DEFAULT '',
  image text,
  asin text,
  -- what the marketplace showed when the draft began, and what it shall be; attribute to values
  base jsonb NOT NULL DEFAULT '{}',
  attributes jsonb NOT NULL DEFAULT '{}',
  state text NOT NULL DEFAULT 'draft'
    CHECK (state IN ('draft', 'valid', 'invalid', 'queued', 'processing', 'live', 'troubled', 'unconfirmed', 'rejected', 'cancelled')),
  -- what the marketplace says of it, by attribute
  issues jsonb NOT NULL DEFAULT '[]',
  problem text,
  write_id uuid,
  -- attribute to what was sent of it; null where it was taken away
  sent jsonb,
  version int NOT NULL DEFAULT 1,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  submitted_by_name text,
  submitted_at timestamptz,
  accepted_at timestamptz,
  live_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
-- One submission of a listing at a time.
CREATE UNIQUE INDEX draft_in_flight ON publish.draft (company_id, account_id, marketplace_id, seller_sku)
  WHERE state IN ('queued', 'processing');
CREATE INDEX draft_list ON publish.draft (company_id, created_at DESC, id DESC);
CREATE INDEX draft_state ON publish.draft (company_id, state, created_at DESC, id DESC);
CREATE INDEX draft_sku ON publish.draft (company_id, account_id, marketplace_id, seller_sku, created_at DESC);
CREATE INDEX draft_write ON publish.draft (company_id, write_id);
CALL kit.tenant_table('publish.draft');

-- Contents of a listing as the marketplace showed them, before and after each submission.
CREATE TABLE publish.version (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  number int NOT NULL,
  attributes jsonb NOT NULL,
  -- found: somebody else had made it so; live: a submission did
  source text NOT NULL CHECK (source IN ('found', 'live')),
  draft_id uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, marketplace_id, seller_sku, number),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('publish.version', append_only => true);
