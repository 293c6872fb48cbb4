-- What stands on documents beside the name: a PNG of at most 600 x 200 points, drawn anew when it was uploaded.
ALTER TABLE vat.entity ADD COLUMN logo bytea CHECK (length(logo) <= 1000000);
