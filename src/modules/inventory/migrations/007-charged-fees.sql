-- What was charged for sending one piece in the last 30 days, beside Amazon's own preview of it; NULL where nothing was sent.
-- The view is made again by its file, with the new columns.
DROP VIEW IF EXISTS inventory.fee_audit_seen;
ALTER TABLE inventory.fee_audit ADD COLUMN charged numeric(20, 6);
ALTER TABLE inventory.fee_audit ADD COLUMN charged_units int;
ALTER TABLE inventory.fee_audit ADD COLUMN charged_diff numeric(20, 6);
