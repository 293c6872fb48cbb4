-- The list by price, either way; listings without a price come last in both.
CREATE INDEX listing_dearest ON listing.listing (company_id, price DESC NULLS LAST, id DESC);
CREATE INDEX listing_cheapest ON listing.listing (company_id, price, id);
