-- The document of another module that made a cost, which alone takes it back: its id, number, and the page that shows it.
ALTER TABLE costshare.document ADD COLUMN source_id uuid;
ALTER TABLE costshare.document ADD COLUMN source_number text NOT NULL DEFAULT '';
ALTER TABLE costshare.document ADD COLUMN source_path text NOT NULL DEFAULT '';
CREATE INDEX document_source ON costshare.document (company_id, source_id) WHERE source_id IS NOT NULL;
