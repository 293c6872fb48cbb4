-- Removal orders that were asked for from here. `number` is the MerchantRemovalOrderID: Amazon takes it once, so that a request
-- that is sent again makes no second order, and its report calls the order by it.
CREATE TABLE returns.removal (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  number text NOT NULL CHECK (length(number) BETWEEN 1 AND 50),
  type text NOT NULL CHECK (type IN ('Return', 'Disposal', 'Liquidations')),
  state text NOT NULL CHECK (state IN ('submitting', 'accepted', 'rejected', 'unknown')),
  -- where it is sent to, as it was then, by the names of the address book; NULL but for a return
  address jsonb,
  remark text NOT NULL,
  lead_sku text NOT NULL,
  line_count int NOT NULL,
  sellable int NOT NULL,
  unsellable int NOT NULL,
  -- the last feed that it went with
  feed_id uuid,
  -- why it was refused, in Chinese
  problem text NOT NULL DEFAULT '',
  created_by uuid,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  CHECK (sellable + unsellable > 0),
  CHECK ((type = 'Return') = (address IS NOT NULL)),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, number),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX removal_newest ON returns.removal (company_id, created_at DESC, id DESC);
CREATE INDEX removal_feed ON returns.removal (company_id, feed_id);
-- What is under way is taken off what can be asked for.
CREATE INDEX removal_open ON returns.removal (company_id, account_id) WHERE state IN ('submitting', 'unknown');
CALL kit.tenant_table('returns.removal');
CALL kit.data_scope('returns.removal', 'account', 'account_id');

CREATE TABLE returns.removal_line (
  company_id uuid NOT NULL,
  removal_id uuid NOT NULL,
  line_no int NOT NULL CHECK (line_no > 0),
  seller_sku text NOT NULL,
  sellable int NOT NULL CHECK (sellable >= 0),
  unsellable int NOT NULL CHECK (unsellable >= 0),
  CHECK (sellable + unsellable > 0),
  PRIMARY KEY (company_id, removal_id, line_no),
  FOREIGN KEY (company_id, removal_id) REFERENCES returns.removal
);
CALL kit.tenant_table('returns.removal_line');
CALL kit.data_scope_of('returns.removal_line', 'returns.removal', '{removal_id}', '{id}');
