-- The newest ranks of all products of a site are read by their days.
CREATE INDEX rank_day_site ON listing.rank_day (company_id, account_id, marketplace_id, day);

-- By which name a product is looked for, if there is one that is called like the listing. A column of its own: row-level security
-- lets a join go by an index of the other side where plain columns are compared, and not where a function is called first.
ALTER TABLE listing.listing
  ADD COLUMN product_key text NOT NULL GENERATED ALWAYS AS (lower(btrim(seller_sku))) STORED;
CREATE INDEX listing_product ON listing.listing (company_id, product_key);
-- The list begins with what was opened last, before it what has no such day yet: an index that has those at its end does not serve.
CREATE INDEX listing_newest ON listing.listing (company_id, opened_at DESC, id DESC);
