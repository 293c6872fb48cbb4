-- A store that works with files only: a seller account without consent, so without token and without an end.
ALTER TABLE marketplace.seller_account
  ALTER COLUMN refresh_token_sealed DROP NOT NULL,
  ALTER COLUMN expires_at DROP NOT NULL,
  DROP CONSTRAINT seller_account_status_check,
  ADD CONSTRAINT seller_account_status_check
    CHECK (status IN ('active', 'expiring', 'revoked', 'expired', 'suspended', 'disabled', 'deleted', 'manual')),
  ADD CONSTRAINT seller_account_consent CHECK (
    status IN ('manual', 'disabled', 'deleted') OR (refresh_token_sealed IS NOT NULL AND expires_at IS NOT NULL));
-- What somebody types as his seller id proves nothing, so it must not keep the real owner out.
DROP INDEX marketplace.seller_account_owner;
CREATE UNIQUE INDEX seller_account_owner ON marketplace.seller_account (application_id, region, selling_partner_id)
  WHERE status NOT IN ('disabled', 'deleted', 'manual');
CREATE UNIQUE INDEX seller_account_seller ON marketplace.seller_account (company_id, region, selling_partner_id)
  WHERE status <> 'deleted';

-- One file that a person brought: checked first, loaded when he says so.
CREATE TABLE marketplace.upload_batch (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  account_id uuid NOT NULL,
  -- the site that the user named; an order list must have one
  marketplace_id text,
  report_type text NOT NULL,
  document_id uuid NOT NULL,
  file_id uuid NOT NULL,
  file_name text NOT NULL,
  -- bytes as they were sent; the hash is that of the unpacked bytes, so a file is the same packed or not
  size bigint NOT NULL,
  sha256 text NOT NULL,
  state text NOT NULL CHECK (state IN ('uploaded', 'checked', 'rejected', 'loaded')),
  version int NOT NULL DEFAULT 0,
  rows int,
  bad_rows int NOT NULL DEFAULT 0,
  -- days or instants that the rows cover, as the file has them
  period_from text,
  period_to text,
  check_result jsonb,
  -- order lists: what each column means, and how dates and amounts are to be read
  mapping jsonb,
  options jsonb,
  -- why the last attempt to check or to load it came to nothing
  error text,
  task_id uuid,
  inserted int,
  updated int,
  unchanged int,
  quarantined int,
  created_by uuid,
  created_by_name text,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  loaded_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, document_id) REFERENCES marketplace.report_document,
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
-- The same bytes count once; a rejected file may be brought again.
CREATE UNIQUE INDEX upload_batch_bytes ON marketplace.upload_batch (company_id, account_id, report_type, sha256)
  WHERE state <> 'rejected';
CREATE INDEX upload_batch_state ON marketplace.upload_batch (company_id, state, id DESC);
CALL kit.tenant_table('marketplace.upload_batch');

-- How a company reads order lists with certain headers: the next file of the same form needs no questions.
CREATE TABLE marketplace.column_mapping (
  company_id uuid NOT NULL,
  fingerprint text NOT NULL,
  mapping jsonb NOT NULL,
  options jsonb NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, fingerprint)
);
CALL kit.tenant_table('marketplace.column_mapping');
