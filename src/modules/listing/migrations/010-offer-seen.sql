-- How long we were known to have the Buy Box of a product, to be without it, and how long nobody looked, in whole seconds since its
-- offers were read first, up to as_of.
ALTER TABLE listing.offer_book
  ADD COLUMN owned_sec bigint NOT NULL DEFAULT 0,
  ADD COLUMN lost_sec bigint NOT NULL DEFAULT 0,
  ADD COLUMN unseen_sec bigint NOT NULL DEFAULT 0;
-- Products that we sell while somebody else, or nobody, has the Buy Box.
CREATE INDEX offer_book_lost ON listing.offer_book (company_id, account_id, marketplace_id, asin)
  WHERE own_price IS NOT NULL AND NOT own_featured;

-- The same by day of the site. The readings themselves are not kept, so nothing can make these rows anew: they are counted up,
-- each second once, as readings are taken over.
CREATE TABLE listing.offer_seen_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  asin text NOT NULL,
  day date NOT NULL,
  owned int NOT NULL CHECK (owned >= 0),
  lost int NOT NULL CHECK (lost >= 0),
  unseen int NOT NULL CHECK (unseen >= 0),
  -- times that nobody looked for too long, counted on the day on which they began
  gaps int NOT NULL CHECK (gaps >= 0),
  -- the totals of the book when the day began: what a product had in some days is the difference of two rows
  owned_before bigint NOT NULL,
  lost_before bigint NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, asin, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
-- One day of all products, at which the totals of a period are read.
CREATE INDEX offer_seen_day_at ON listing.offer_seen_day (company_id, day);
CREATE INDEX offer_seen_day_old ON listing.offer_seen_day USING brin (day);
CALL kit.tenant_table('listing.offer_seen_day', open_to_system => true);
