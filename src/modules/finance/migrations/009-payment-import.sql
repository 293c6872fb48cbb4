-- Files of payments that were brought in: the same file again asks for nothing.
CREATE TABLE finance.payment_import (
  company_id uuid NOT NULL,
  -- SHA-256
  file_hash text NOT NULL,
  file_name text NOT NULL CHECK (length(file_name) <= 200),
  requests int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, file_hash)
);
CALL kit.tenant_table('finance.payment_import', append_only => true);
