-- Prices below the floor that somebody asks for: nothing of them is sent before it is agreed to.
CREATE TABLE listing.price_request (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'waiting', 'approved', 'rejected', 'withdrawn')),
  version int NOT NULL DEFAULT 1,
  listing_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('price', 'sale', 'b2b', 'tiers')),
  currency text NOT NULL,
  old_value numeric(18,4),
  new_value numeric(18,4) NOT NULL,
  old_terms jsonb,
  new_terms jsonb,
  -- what the price was held against when it was asked for, and when it was agreed to
  floor numeric(18,4) NOT NULL,
  agreed_floor numeric(18,4),
  reason text NOT NULL CHECK (reason <> ''),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  decided_by_name text,
  decided_at timestamptz,
  -- no key to the listing: one that came by an upload which is undone goes, and what people asked for stays told
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number)
);
CREATE INDEX price_request_list ON listing.price_request (company_id, created_at DESC, id DESC);
CREATE INDEX price_request_listing ON listing.price_request (company_id, listing_id) WHERE state = 'waiting';
CALL kit.tenant_table('listing.price_request');

-- What a price below the floor needs; no row: approval.
CREATE TABLE listing.setting (
  company_id uuid NOT NULL PRIMARY KEY,
  below_floor text NOT NULL DEFAULT 'approve' CHECK (below_floor IN ('approve', 'refuse'))
);
CALL kit.tenant_table('listing.setting');
