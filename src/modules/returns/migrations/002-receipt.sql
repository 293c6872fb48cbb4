-- What came back to a warehouse of ours, graded piece by piece: of a SKU in a parcel of a removal order, or of a return that a
-- buyer sent to the seller. The key of what it came of is that of the report's row.
CREATE TABLE returns.receipt (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('REMOVAL', 'FBM')),
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  order_id text NOT NULL,
  tracking text NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  -- pieces of the listing: sound, to be repaired, thrown away
  good int NOT NULL CHECK (good >= 0),
  repair int NOT NULL CHECK (repair >= 0),
  scrap int NOT NULL CHECK (scrap >= 0),
  warehouse_id uuid,
  repair_warehouse_id uuid,
  -- NULL where nothing of it is stock
  posting_id uuid,
  remark text NOT NULL,
  received_on date NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  cancelled_at timestamptz,
  cancelled_by_name text,
  CHECK (good + repair + scrap > 0),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX receipt_of ON returns.receipt (company_id, account_id, kind, day, row_id) WHERE cancelled_at IS NULL;
CREATE INDEX receipt_list ON returns.receipt (company_id, created_at DESC);
CALL kit.tenant_table('returns.receipt');

-- Goods that somebody no longer waits for, and why.
CREATE TABLE returns.settled (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('REMOVAL', 'FBM')),
  day date NOT NULL,
  row_id uuid NOT NULL,
  reason text NOT NULL,
  by_name text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, kind, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('returns.settled');
