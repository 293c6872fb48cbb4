CALL kit.module_schema('marketplace');

-- The company's own label above several seller accounts.
CREATE TABLE marketplace.store (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  sort_index int NOT NULL DEFAULT 0,
  -- what papers of a store need
  company_name text NOT NULL DEFAULT '',
  tax_number text NOT NULL DEFAULT '',
  customs_number text NOT NULL DEFAULT '',
  network_note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  deleted_at timestamptz,
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX store_name ON marketplace.store (company_id, name) WHERE deleted_at IS NULL;
CALL kit.tenant_table('marketplace.store');
CALL kit.data_scope('marketplace.store', 'store', 'id');

-- Where goods leave for the marketplace's warehouses; lengths are those that the marketplace takes.
CREATE TABLE marketplace.ship_from_address (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  store_id uuid NOT NULL,
  -- '' for all sites of the store
  marketplace_id text NOT NULL DEFAULT '',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  company_name text NOT NULL DEFAULT '' CHECK (length(company_name) <= 50),
  address_line1 text NOT NULL CHECK (length(address_line1) BETWEEN 1 AND 180),
  address_line2 text NOT NULL DEFAULT '' CHECK (length(address_line2) <= 60),
  district text NOT NULL DEFAULT '' CHECK (length(district) <= 50),
  city text NOT NULL CHECK (length(city) BETWEEN 1 AND 30),
  state text NOT NULL DEFAULT '' CHECK (length(state) <= 64),
  country_code text NOT NULL CHECK (length(country_code) = 2),
  postal_code text NOT NULL CHECK (length(postal_code) BETWEEN 1 AND 32),
  phone text NOT NULL CHECK (length(phone) BETWEEN 1 AND 20),
  email text NOT NULL DEFAULT '',
  is_default boolean NOT NULL DEFAULT false,
  disabled boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 0,
  updated_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, store_id) REFERENCES marketplace.store,
  CHECK (NOT (is_default AND disabled))
);
CREATE UNIQUE INDEX ship_from_default ON marketplace.ship_from_address (company_id, store_id, marketplace_id)
  WHERE is_default;
CREATE UNIQUE INDEX ship_from_name ON marketplace.ship_from_address (company_id, store_id, marketplace_id, lower(name))
  WHERE NOT disabled;
CALL kit.tenant_table('marketplace.ship_from_address');

-- One sellingPartnerId in one region. Tokens are sealed with a key that is not in the database. A store that works with
-- files only has a 'manual' one: an account without consent, so without token and without an end.
CREATE TABLE marketplace.seller_account (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  store_id uuid NOT NULL,
  selling_partner_id text NOT NULL,
  region text NOT NULL CHECK (region IN ('na', 'eu', 'fe')),
  application_id text NOT NULL,
  -- a seller may bring an application of his own (its secret is sealed like the tokens), and a proxy that belongs to the
  -- store's usual network
  own_client_id text,
  own_client_secret_sealed text,
  proxy_url text,
  network_note text NOT NULL DEFAULT '',
  refresh_token_sealed text,
  access_token_sealed text,
  access_expires_at timestamptz,
  authorized_at timestamptz NOT NULL DEFAULT kit.now(),
  expires_at timestamptz,
  status text NOT NULL DEFAULT 'active'
    CHECK (status IN ('active', 'expiring', 'revoked', 'expired', 'suspended', 'disabled', 'deleted', 'manual')),
  last_auth_error text,
  -- first refusal of the grant; it counts as lost only when refused again a minute later
  auth_failed_at timestamptz,
  -- since when the account is stopped: it may be deleted thirty days later
  disabled_at timestamptz,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT seller_account_consent CHECK (
    status IN ('manual', 'disabled', 'deleted') OR (refresh_token_sealed IS NOT NULL AND expires_at IS NOT NULL)),
  CONSTRAINT seller_account_own CHECK ((own_client_id IS NULL) = (own_client_secret_sealed IS NULL)),
  FOREIGN KEY (company_id, store_id) REFERENCES marketplace.store
);
-- A seller works for one company only, whichever application he consented to. What somebody types as his seller id proves
-- nothing, so it must not keep the real owner out.
CREATE UNIQUE INDEX seller_account_owner ON marketplace.seller_account (region, selling_partner_id)
  WHERE status NOT IN ('disabled', 'deleted', 'manual');
CREATE UNIQUE INDEX seller_account_seller ON marketplace.seller_account (company_id, region, selling_partner_id)
  WHERE status <> 'deleted';
CREATE INDEX seller_account_expiry ON marketplace.seller_account (expires_at)
  WHERE status IN ('active', 'expiring', 'suspended');
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

-- A consent that is under way, for a seller's account or for its advertising: single use, ten minutes, bound to who began it.
CREATE TABLE marketplace.oauth_state (
  nonce_hash text PRIMARY KEY,
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL DEFAULT 'seller' CHECK (kind IN ('seller', 'ads')),
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

-- A consent to the advertising of one region, given for a store.
CREATE TABLE marketplace.ads_connection (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  store_id uuid NOT NULL,
  region text NOT NULL CHECK (region IN ('na', 'eu', 'fe')),
  client_id text NOT NULL,
  refresh_token_sealed text NOT NULL,
  access_token_sealed text,
  access_expires_at timestamptz,
  authorized_at timestamptz NOT NULL DEFAULT kit.now(),
  captured_at timestamptz,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'revoked', 'disabled')),
  last_auth_error text,
  -- first refusal of the grant; it counts as lost only when refused again a minute later
  auth_failed_at timestamptz,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, store_id, region),
  FOREIGN KEY (company_id, store_id) REFERENCES marketplace.store
);
CALL kit.tenant_table('marketplace.ads_connection', open_to_system => true);

-- An advertiser in one marketplace, as the consent showed it.
CREATE TABLE marketplace.ads_profile (
  company_id uuid NOT NULL,
  profile_id bigint NOT NULL,
  connection_id uuid NOT NULL,
  -- of the connection; data rights hold by it
  store_id uuid NOT NULL,
  -- the seller account of the same company that it advertises for, where that is known
  account_id uuid,
  marketplace_id text NOT NULL,
  country_code text NOT NULL,
  currency text NOT NULL,
  time_zone text NOT NULL,
  account_type text NOT NULL,
  account_name text NOT NULL DEFAULT '',
  -- the advertiser's own number; for sellers their seller id
  advertiser_id text NOT NULL,
  daily_budget numeric(18, 4),
  valid_payment boolean,
  -- whether this company works with it: its connection stands, and the last look still showed it
  active boolean NOT NULL DEFAULT true,
  captured_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, profile_id),
  FOREIGN KEY (company_id, connection_id) REFERENCES marketplace.ads_connection,
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
-- A profile works for one company only.
CREATE UNIQUE INDEX ads_profile_owner ON marketplace.ads_profile (profile_id) WHERE active;
CREATE INDEX ads_profile_connection ON marketplace.ads_profile (company_id, connection_id);
CREATE INDEX ads_profile_account ON marketplace.ads_profile (company_id, account_id);
CALL kit.tenant_table('marketplace.ads_profile', open_to_system => true);

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
  -- its last window did not reach the present: it catches up, which is a gap
  behind boolean NOT NULL DEFAULT false,
  -- suspended: while the marketplace has restricted an account, only some of its streams go on
  state text NOT NULL DEFAULT 'ready'
    CHECK (state IN ('ready', 'paused', 'blocked_auth', 'blocked_role', 'suspended', 'dead')),
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
-- The stream of one company that has been due longest.
CREATE INDEX sync_cursor_turn ON marketplace.sync_cursor (company_id, behind, not_before) WHERE state = 'ready';
CALL kit.tenant_table('marketplace.sync_cursor', open_to_system => true);

-- A stretch of the past that somebody wants read again, beside the live reading and behind it. It is read from its end
-- to its beginning, because what is newest is wanted first.
CREATE TABLE marketplace.sync_backfill (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  stream text NOT NULL,
  marketplace_id text NOT NULL DEFAULT '',
  data_from timestamptz NOT NULL,
  data_to timestamptz NOT NULL,
  -- everything from here to data_to has been read
  read_down_to timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed', 'cancelled')),
  next_at timestamptz NOT NULL DEFAULT kit.now(),
  -- while a worker has it in hand it is given to no other one
  taken_until timestamptz,
  attempts int NOT NULL DEFAULT 0,
  rows int NOT NULL DEFAULT 0,
  error text,
  created_by_name text,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  CHECK (read_down_to BETWEEN data_from AND data_to),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
-- One at a time per stream.
CREATE UNIQUE INDEX sync_backfill_running ON marketplace.sync_backfill (company_id, account_id, stream, marketplace_id)
  WHERE state = 'running';
CREATE INDEX sync_backfill_turn ON marketplace.sync_backfill (company_id, next_at) WHERE state = 'running';
CALL kit.tenant_table('marketplace.sync_backfill', open_to_system => true);

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

-- How much of the workers' time each class of reading has had, divided by its share: the class that has had least is next.
-- It names no company, because the workers belong to all.
CREATE TABLE marketplace.slot_class (
  class text PRIMARY KEY CHECK (class IN ('live', 'gap', 'backfill')),
  share int NOT NULL CHECK (share > 0),
  -- seconds of workers per share
  pass double precision NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO marketplace.slot_class (class, share) VALUES ('live', 70), ('gap', 20), ('backfill', 10);
GRANT SELECT, UPDATE ON marketplace.slot_class TO erp_app;

-- When something of a company was last begun in a class: of each class the company that has waited longest is next, however
-- many streams others have.
CREATE TABLE marketplace.sync_turn (
  company_id uuid NOT NULL,
  class text NOT NULL DEFAULT 'live' CHECK (class IN ('live', 'gap', 'backfill')),
  served_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (company_id, class)
);
CREATE INDEX sync_turn_next ON marketplace.sync_turn (class, served_at, company_id);
CALL kit.tenant_table('marketplace.sync_turn', open_to_system => true);

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
  -- limits that nobody publishes are felt out: when the rate was last moved by what it met; null: not yet
  adapted_at timestamptz,
  throttled bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (application_id, seller_key, operation)
) WITH (fillfactor = 50);
GRANT SELECT, INSERT, UPDATE ON marketplace.rate_bucket TO erp_app;

-- Every call to the marketplace, for two weeks. Tokens are not kept.
CREATE TABLE marketplace.api_call (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL,
  account_id uuid NOT NULL,
  operation text NOT NULL,
  method text NOT NULL,
  -- without its secrets
  path text NOT NULL,
  -- null: no answer came
  status int,
  ms int NOT NULL,
  request_id text,
  -- calls per second that the answer stated
  rate double precision,
  attempt int NOT NULL,
  problem text,
  -- what went and came with a call that failed, for three days, short and without secrets and people
  request_body text,
  response_body text,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX api_call_at ON marketplace.api_call (company_id, at DESC);
CREATE INDEX api_call_problem ON marketplace.api_call (company_id, at DESC) WHERE status IS NULL OR status >= 400;
CREATE INDEX api_call_old ON marketplace.api_call USING brin (at);
CREATE INDEX api_call_body ON marketplace.api_call (at) WHERE request_body IS NOT NULL OR response_body IS NOT NULL;
CALL kit.tenant_table('marketplace.api_call', open_to_system => true);

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
  -- brings the past, which can wait, and not the newest window of its plan
  past boolean NOT NULL DEFAULT false,
  -- when the next step is due
  next_at timestamptz NOT NULL DEFAULT kit.now(),
  -- while a worker has it in hand it is given to no other one
  taken_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  -- when it was asked for: one that never ends is given up a day later and asked for anew. Null: not asked for by us
  requested_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE UNIQUE INDEX report_request_window ON marketplace.report_request
  (company_id, account_id, report_type, marketplace_ids, data_from, data_to, generation) WHERE data_from IS NOT NULL;
CREATE UNIQUE INDEX report_request_report ON marketplace.report_request (company_id, account_id, report_id)
  WHERE report_id IS NOT NULL;
CREATE INDEX report_request_list ON marketplace.report_request (company_id, account_id, created_at DESC);
-- A document knows the request that it came of: replay reads the asked period there.
CREATE INDEX report_request_document ON marketplace.report_request (company_id, document_id) WHERE document_id IS NOT NULL;
CREATE INDEX report_request_open ON marketplace.report_request (next_at)
  WHERE status IN ('planned', 'requested', 'ready', 'downloaded');
CREATE INDEX report_request_turn ON marketplace.report_request (company_id, past, next_at, priority)
  WHERE status IN ('planned', 'requested', 'ready', 'downloaded');
-- Which reports of an account wait for the same call, in the order in which they get it.
CREATE INDEX report_request_waiting ON marketplace.report_request (company_id, account_id, status, priority, id)
  WHERE status IN ('planned', 'ready');
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
CREATE INDEX report_document_loaded ON marketplace.report_document (company_id, report_type, created_at)
  WHERE loaded_at IS NOT NULL;
CALL kit.tenant_table('marketplace.report_document');

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
  state text NOT NULL CHECK (state IN ('uploaded', 'checked', 'rejected', 'loaded', 'reverted')),
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
  -- whether the images of its load are kept, and how many rows undoing it put back and left
  undoable boolean NOT NULL DEFAULT false,
  restored int,
  kept int,
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
-- The same bytes count once; a file that was rejected or undone may be brought again.
CREATE UNIQUE INDEX upload_batch_bytes ON marketplace.upload_batch (company_id, account_id, report_type, sha256)
  WHERE state NOT IN ('rejected', 'reverted');
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

-- Undoing an upload: while a batch is loaded, every row that it writes, changes or deletes leaves its images here, so
-- that what was there before can be put back. A batch that is loaded names itself in app.upload_batch.
CREATE TABLE marketplace.upload_undo (
  company_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  -- the order of the images comes by itself, but a copy of a company's rows may bring its own
  seq bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  -- "schema.table"
  relation text NOT NULL,
  before jsonb,
  after jsonb,
  noted_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, batch_id, seq),
  FOREIGN KEY (company_id, batch_id) REFERENCES marketplace.upload_batch
);
CALL kit.tenant_table('marketplace.upload_undo', open_to_system => true);

-- What could not be taken over: a line of a report, or one thing that an API told. The rest of its delivery went on.
CREATE TABLE marketplace.quarantine_row (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  -- report type, or code of the stream
  kind text NOT NULL,
  -- the report's document and the physical line in it; null for what came by API
  document_id uuid,
  line_no int,
  -- what an API calls it, e.g. the order number; '' for lines of a report
  item_key text NOT NULL DEFAULT '',
  reason text NOT NULL,
  -- a line: {"headers": [...], "cells": [...], "delimiter": "\t", "charset": "utf-8"}; else the answer as it came
  raw jsonb,
  -- the line's cells as a person put them right; they stand in for the original whenever the document is read
  corrected text[],
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'fixed', 'ignored')),
  note text,
  first_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  last_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  settled_at timestamptz,
  settled_by_name text,
  PRIMARY KEY (company_id, id),
  UNIQUE NULLS NOT DISTINCT (company_id, account_id, kind, document_id, line_no, item_key),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, document_id) REFERENCES marketplace.report_document
);
CREATE INDEX quarantine_row_open ON marketplace.quarantine_row (company_id, account_id, kind) WHERE state = 'open';
CREATE INDEX quarantine_row_document ON marketplace.quarantine_row (company_id, document_id);
CALL kit.tenant_table('marketplace.quarantine_row');

-- What a seller account is told about, as the marketplace confirmed it. Open to the system: a change of an account's state
-- names no seller; whom it is about is said by the subscription alone.
CREATE TABLE marketplace.subscription (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  type text NOT NULL,
  subscription_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, type),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX subscription_number ON marketplace.subscription (subscription_id);
CALL kit.tenant_table('marketplace.subscription', open_to_system => true);

-- What came, for two weeks. The marketplace's own number of it makes a second delivery known. Its body is not kept: that
-- of an order holds the buyer's postal code, and nothing is read from it.
CREATE TABLE marketplace.notification (
  company_id uuid NOT NULL,
  notification_id text NOT NULL,
  account_id uuid NOT NULL,
  type text NOT NULL,
  event_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT kit.now(),
  state text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'done', 'idle', 'failed')),
  -- how often it was delivered
  deliveries int NOT NULL DEFAULT 1,
  -- what it is about, e.g. an order or report number
  subject text NOT NULL,
  -- what followed from it, or why nothing could
  outcome text,
  PRIMARY KEY (company_id, notification_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX notification_list ON marketplace.notification (company_id, received_at DESC);
CREATE INDEX notification_old ON marketplace.notification USING brin (received_at);
CREATE INDEX notification_failed ON marketplace.notification (company_id, received_at DESC) WHERE state = 'failed';
CALL kit.tenant_table('marketplace.notification', open_to_system => true);

-- What is sent to the marketplace in bulk, from the wish to the processing report. The row is written before any call,
-- and the wish to hand it in before that call: whoever takes over after a kill looks whether it arrived.
-- Changes of one site go together: a feed takes in what is wished for until it is released, and no more than one of a site
-- is released within the pause that the configuration sets. From then on its messages stay as they are.
CREATE TABLE marketplace.feed (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  feed_type text NOT NULL,
  -- who hears of the results, e.g. "listing.offers"
  origin text NOT NULL,
  title text NOT NULL,
  status text NOT NULL DEFAULT 'planned'
    CHECK (status IN ('planned', 'uploaded', 'submitting', 'submitted', 'processed', 'done', 'failed', 'cancelled')),
  gathering boolean NOT NULL DEFAULT false,
  -- leaves as soon as it may instead of when the pause is over
  urgent boolean NOT NULL DEFAULT false,
  released_at timestamptz,
  input_document_id text,
  input_file_id uuid,
  -- marketplace time from which on it may have been handed in
  submitting_since timestamptz,
  submitting_at timestamptz,
  feed_id text,
  submitted_at timestamptz,
  cancel_wanted boolean NOT NULL DEFAULT false,
  result_document_id text,
  result_file_id uuid,
  messages int NOT NULL,
  accepted int,
  refused int,
  retry_of uuid,
  attempts int NOT NULL DEFAULT 0,
  error text,
  -- somebody has seen that it failed and leaves it so
  ignored_at timestamptz,
  next_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, input_file_id) REFERENCES kit.file,
  FOREIGN KEY (company_id, result_file_id) REFERENCES kit.file
);
CREATE UNIQUE INDEX feed_number ON marketplace.feed (company_id, account_id, feed_id) WHERE feed_id IS NOT NULL;
-- One at a time: of two feeds whose fate is unknown nobody could say which one arrived.
CREATE UNIQUE INDEX feed_submitting ON marketplace.feed (company_id, account_id, feed_type) WHERE status = 'submitting';
CREATE UNIQUE INDEX feed_gathering ON marketplace.feed (company_id, account_id, marketplace_id, feed_type, origin)
  WHERE gathering;
-- What keeps the next one waiting: released and not handed in, or handed in a moment ago.
CREATE INDEX feed_leaving ON marketplace.feed (company_id, account_id, feed_type)
  WHERE status IN ('planned', 'uploaded', 'submitting');
CREATE INDEX feed_left ON marketplace.feed (company_id, account_id, feed_type, submitted_at);
CREATE INDEX feed_list ON marketplace.feed (company_id, created_at DESC);
CREATE INDEX feed_open ON marketplace.feed (next_at)
  WHERE status IN ('planned', 'uploaded', 'submitting', 'submitted', 'processed');
-- What failed as a whole or in part, for the list of failed work.
CREATE INDEX feed_trouble ON marketplace.feed (company_id, finished_at DESC)
  WHERE ignored_at IS NULL AND (status = 'failed' OR refused > 0);
CREATE INDEX feed_retry ON marketplace.feed (company_id, retry_of) WHERE retry_of IS NOT NULL;
CALL kit.tenant_table('marketplace.feed', open_to_system => true);

-- One message of a feed: what it says of one SKU, and what the marketplace answered.
CREATE TABLE marketplace.feed_message (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  feed_id uuid NOT NULL,
  message_id int NOT NULL,
  sku text NOT NULL,
  -- as it is sent, without its number
  body jsonb NOT NULL,
  -- words for people: what was, what shall be
  before text NOT NULL DEFAULT '',
  after text NOT NULL DEFAULT '',
  -- dropped: a newer wish took its place before it was sent
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dropped', 'accepted', 'refused', 'unknown')),
  problem text,
  PRIMARY KEY (company_id, feed_id, message_id),
  FOREIGN KEY (company_id, feed_id) REFERENCES marketplace.feed
);
CALL kit.tenant_table('marketplace.feed_message');

-- How an account stood in a marketplace on a day: the last report of the day. Nobody else keeps the history.
CREATE TABLE marketplace.health_snapshot (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- business day of the marketplace
  day date NOT NULL,
  standing text NOT NULL,
  payload jsonb NOT NULL,
  -- flattened: an array of metrics
  metrics jsonb NOT NULL,
  document_id uuid,
  -- the marketplace time that it speaks of: a report that is read once more, or late, is not news
  as_of timestamptz NOT NULL,
  captured_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, marketplace_id, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX health_snapshot_document ON marketplace.health_snapshot (company_id, document_id);
CALL kit.tenant_table('marketplace.health_snapshot');
-- Uploads into it can be undone: see stored/undoable.sql.

-- When a company wants to be warned; without a row as the rule has it.
CREATE TABLE marketplace.health_alert (
  company_id uuid PRIMARY KEY,
  -- the part of the way to the limit that is left when it warns
  margin numeric(4, 2) NOT NULL DEFAULT 0.20 CHECK (margin BETWEEN 0 AND 0.9),
  muted text[] NOT NULL DEFAULT '{}',
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now()
);
CALL kit.tenant_table('marketplace.health_alert');
