-- When a draft is handed in by itself, and who said so.
ALTER TABLE publish.draft
  ADD COLUMN submit_at timestamptz,
  ADD COLUMN scheduled_by uuid,
  ADD COLUMN scheduled_by_name text,
  ADD CHECK (submit_at IS NULL OR scheduled_by_name IS NOT NULL);
