-- The search of the frame finds a SKU by its beginning, whatever its case, while somebody types. Comparisons of a plain
-- column go by an index also under row-level security; an expression or LIKE would not.
ALTER TABLE listing.listing ADD COLUMN sku_key text NOT NULL GENERATED ALWAYS AS (lower(seller_sku)) STORED;
CREATE INDEX listing_sku ON listing.listing (company_id, sku_key);
