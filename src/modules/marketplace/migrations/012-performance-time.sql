-- The marketplace time that a snapshot speaks of: a report that is read once more, or late, is not news.
ALTER TABLE marketplace.health_snapshot ADD COLUMN as_of timestamptz;
UPDATE marketplace.health_snapshot SET as_of = captured_at;
ALTER TABLE marketplace.health_snapshot ALTER COLUMN as_of SET NOT NULL;
CREATE INDEX health_snapshot_document ON marketplace.health_snapshot (company_id, document_id);
