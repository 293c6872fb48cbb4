-- What is sent to the marketplace in bulk, from the wish to the processing report. The row is written before any call,
-- and the wish to hand it in before that call: whoever takes over after a kill looks whether it arrived.
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
CREATE INDEX feed_list ON marketplace.feed (company_id, created_at DESC);
CREATE INDEX feed_open ON marketplace.feed (next_at)
  WHERE status IN ('planned', 'uploaded', 'submitting', 'submitted', 'processed');
CALL kit.tenant_table('marketplace.feed', open_to_system => true);
CALL kit.data_scope('marketplace.feed', 'account', 'account_id');

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
CALL kit.data_scope('marketplace.feed_message', 'account', 'account_id');
