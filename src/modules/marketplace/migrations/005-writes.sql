-- One call that changes something at the marketplace, as a document: what was asked for, what was answered. It is planned in
-- the transaction of whoever wishes it, and its state is written before the call leaves.
CREATE TABLE marketplace.write (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- who knows how it is called and hears of its end, e.g. "order.shipment"
  kind text NOT NULL,
  -- what it is about, e.g. an order's number, and which of several about it
  subject text NOT NULL,
  key text NOT NULL DEFAULT '',
  -- words for people
  summary text NOT NULL DEFAULT '',
  request jsonb NOT NULL,
  -- sending: the call may have left, and nobody knows its answer yet
  state text NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'sending', 'done', 'refused', 'unknown', 'cancelled')),
  answer jsonb,
  problem text,
  attempts int NOT NULL DEFAULT 0,
  -- how often it was looked for at the marketplace since it left
  looks int NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  sent_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
-- The same wish twice is one as long as it is not over.
CREATE UNIQUE INDEX write_open_once ON marketplace.write (company_id, account_id, kind, subject, key)
  WHERE state IN ('planned', 'sending');
CREATE INDEX write_list ON marketplace.write (company_id, created_at DESC, id DESC);
CREATE INDEX write_state ON marketplace.write (company_id, state, created_at DESC, id DESC);
CREATE INDEX write_subject ON marketplace.write (company_id, subject);
CREATE INDEX write_due ON marketplace.write (next_at) WHERE state IN ('planned', 'sending');
CALL kit.tenant_table('marketplace.write', open_to_system => true);
