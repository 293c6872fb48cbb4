-- When the bytes of a file whose time was over were taken away; its row stays, to say what there was.
ALTER TABLE kit.file ADD COLUMN dropped_at timestamptz;
DROP INDEX kit.file_expiry;
CREATE INDEX file_expiry ON kit.file (id) WHERE expires_at IS NOT NULL AND dropped_at IS NULL;
