-- When a report was asked for: one that never ends is given up a day later and asked for anew. Null: not asked for by us,
-- or before this was written down.
ALTER TABLE marketplace.report_request ADD COLUMN requested_at timestamptz;
