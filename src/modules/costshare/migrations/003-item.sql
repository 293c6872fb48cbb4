-- A cost of one SKU on one day, which has no document of its own to people: it is written and taken back in the list of 其他成本.
ALTER TABLE costshare.document ADD COLUMN kind text NOT NULL DEFAULT 'SHARE' CHECK (kind IN ('SHARE', 'ITEM'));
CREATE INDEX document_item ON costshare.document (company_id, date_from DESC, id DESC) WHERE kind = 'ITEM' AND state = 'posted';

-- Sheets of such costs that were brought in: the same one again books nothing.
CREATE TABLE costshare.item_import (
  company_id uuid NOT NULL,
  -- SHA-256
  file_hash text NOT NULL,
  file_name text NOT NULL CHECK (length(file_name) <= 200),
  costs int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, file_hash)
);
CALL kit.tenant_table('costshare.item_import', append_only => true);
