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
CALL kit.tenant_table('marketplace.sync_backfill', open_to_system => true);
CALL kit.data_scope('marketplace.sync_backfill', 'account', 'account_id');
