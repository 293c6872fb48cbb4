-- The pairing of one listing is looked for again and again; the index that keeps periods from overlapping finds it too, five times
-- as slowly.
CREATE INDEX sku_match_listing ON product.sku_match (company_id, account_id, marketplace_id, msku);
