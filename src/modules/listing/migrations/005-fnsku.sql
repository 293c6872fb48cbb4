-- Listings of one FNSKU stand for the same pieces: pairings look for them.
CREATE INDEX listing_fnsku ON listing.listing (company_id, fnsku) WHERE fnsku IS NOT NULL;
