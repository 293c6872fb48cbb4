CALL kit.module_schema('marketplace');

-- The company's own label above several seller accounts.
CREATE TABLE marketplace.store (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  sort_index int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  deleted_at timestamptz,
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX store_name ON marketplace.store (company_id, name) WHERE deleted_at IS NULL;
CALL kit.tenant_table('marketplace.store');

-- One sellingPartnerId in one region. Tokens are sealed with a key that is not in the database.
CREATE TABLE marketplace.seller_account (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  store_id uuid NOT NULL,
  selling_partner_id text NOT NULL,
  region text NOT NULL CHECK (region IN ('na', 'eu', 'fe')),
  application_id text NOT NULL,
  refresh_token_sealed text NOT NULL,
  access_token_sealed text,
  access_expires_at timestamptz,
  authorized_at timestamptz NOT NULL DEFAULT kit.now(),
  expires_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'active'
    CHECK (status IN ('active', 'expiring', 'revoked', 'expired', 'suspended', 'disabled', 'deleted')),
  last_auth_error text,
  -- first refusal of the grant; it counts as lost only when refused again a minute later
  auth_failed_at timestamptz,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, store_id) REFERENCES marketplace.store
);
-- A seller account works for one company only.
CREATE UNIQUE INDEX seller_account_owner ON marketplace.seller_account (application_id, region, selling_partner_id)
  WHERE status NOT IN ('disabled', 'deleted');
CALL kit.tenant_table('marketplace.seller_account', open_to_system => true);

CREATE TABLE marketplace.seller_marketplace (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  store_name text NOT NULL DEFAULT '',
  is_participating boolean NOT NULL DEFAULT true,
  has_suspended_listings boolean NOT NULL DEFAULT false,
  enabled boolean NOT NULL DEFAULT true,
  PRIMARY KEY (company_id, account_id, marketplace_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('marketplace.seller_marketplace');

-- A consent that is under way: single use, ten minutes, bound to who began it.
CREATE TABLE marketplace.oauth_state (
  nonce_hash text PRIMARY KEY,
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  store_id uuid NOT NULL,
  region text NOT NULL,
  -- the account being renewed, if any
  account_id uuid,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- what the first use led to, so that a reloaded result page shows the same
  result jsonb
);
CALL kit.tenant_table('marketplace.oauth_state', open_to_system => true);

-- How far each stream of each account has been read.
CREATE TABLE marketplace.sync_cursor (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  stream text NOT NULL,
  -- '' for streams of the whole account
  marketplace_id text NOT NULL DEFAULT '',
  watermark timestamptz,
  first_from timestamptz,
  state text NOT NULL DEFAULT 'ready'
    CHECK (state IN ('ready', 'paused', 'blocked_auth', 'blocked_role', 'dead')),
  not_before timestamptz NOT NULL DEFAULT kit.now(),
  lease_version bigint NOT NULL DEFAULT 0,
  lease_until timestamptz,
  attempts int NOT NULL DEFAULT 0,
  last_success_at timestamptz,
  last_error text,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, stream, marketplace_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX sync_cursor_due ON marketplace.sync_cursor (not_before) WHERE state = 'ready';
CALL kit.tenant_table('marketplace.sync_cursor', open_to_system => true);

CREATE TABLE marketplace.sync_run (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  stream text NOT NULL,
  marketplace_id text NOT NULL DEFAULT '',
  window_from timestamptz,
  window_to timestamptz,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL DEFAULT kit.instant(),
  calls int NOT NULL DEFAULT 0,
  throttled int NOT NULL DEFAULT 0,
  rows_in int NOT NULL DEFAULT 0,
  inserted int NOT NULL DEFAULT 0,
  updated int NOT NULL DEFAULT 0,
  unchanged int NOT NULL DEFAULT 0,
  quarantined int NOT NULL DEFAULT 0,
  error text,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX sync_run_stream ON marketplace.sync_run (company_id, account_id, stream, started_at DESC);
CALL kit.tenant_table('marketplace.sync_run', open_to_system => true);

-- Token buckets per application, account and operation, shared by all workers. They hold no business data; the key
-- names no company, because the limit does not either.
CREATE TABLE marketplace.rate_bucket (
  application_id text NOT NULL,
  seller_key text NOT NULL,
  operation text NOT NULL,
  rate double precision NOT NULL,
  burst double precision NOT NULL,
  tokens double precision NOT NULL,
  refilled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  blocked_until timestamptz,
  throttled bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (application_id, seller_key, operation)
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON marketplace.rate_bucket TO erp_app;

-- A report from its plan to its load. The row is written before the call, so a crash cannot ask twice unseen.
CREATE TABLE marketplace.report_request (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  plan text NOT NULL,
  report_type text NOT NULL,
  marketplace_ids text[] NOT NULL,
  data_from timestamptz,
  data_to timestamptz,
  generation int NOT NULL DEFAULT 1,
  report_id text,
  remote_document_id text,
  status text NOT NULL DEFAULT 'planned'
    CHECK (status IN ('planned', 'requested', 'ready', 'downloaded', 'loaded', 'empty', 'failed')),
  document_id uuid,
  rows int,
  attempts int NOT NULL DEFAULT 0,
  error text,
  priority int NOT NULL DEFAULT 0,
  -- when the next step is due
  next_at timestamptz NOT NULL DEFAULT kit.now(),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE UNIQUE INDEX report_request_window ON marketplace.report_request
  (company_id, account_id, report_type, marketplace_ids, data_from, data_to, generation) WHERE data_from IS NOT NULL;
CREATE UNIQUE INDEX report_request_report ON marketplace.report_request (company_id, account_id, report_id) WHERE report_id IS NOT NULL;
CREATE INDEX report_request_list ON marketplace.report_request (company_id, account_id, created_at DESC);
CREATE INDEX report_request_open ON marketplace.report_request (next_at)
  WHERE status IN ('planned', 'requested', 'ready', 'downloaded');
CALL kit.tenant_table('marketplace.report_request', open_to_system => true);

-- Bytes of a report as they came, kept so that a better parser can read them again.
CREATE TABLE marketplace.report_document (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  report_type text NOT NULL,
  marketplace_ids text[] NOT NULL,
  file_id uuid NOT NULL,
  sha256 text NOT NULL,
  charset text,
  rows int,
  loaded_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CREATE INDEX report_document_bytes ON marketplace.report_document (company_id, account_id, report_type, sha256);
CALL kit.tenant_table('marketplace.report_document');
