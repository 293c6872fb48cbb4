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
CALL kit.data_scope('listing.offer_change', 'account', 'account_id');
