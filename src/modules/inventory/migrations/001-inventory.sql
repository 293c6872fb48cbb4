CALL kit.module_schema('inventory');

-- Stock in Amazon's warehouses and on the way there, now: one row per SKU and condition of a marketplace. A SKU that a
-- snapshot no longer names stays as a row of zeros.
CREATE TABLE inventory.fba_stock (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  condition text NOT NULL,
  -- what addresses and screens call the row: a SKU does not fit a path
  id uuid NOT NULL DEFAULT uuidv7(),
  fnsku text,
  asin text,
  fulfillable int NOT NULL DEFAULT 0,
  unsellable int NOT NULL DEFAULT 0,
  reserved int NOT NULL DEFAULT 0,
  -- parts of reserved; NULL where the source does not split it
  reserved_customer int,
  reserved_transfer int,
  reserved_processing int,
  researching int NOT NULL DEFAULT 0,
  inbound_working int NOT NULL DEFAULT 0,
  inbound_shipped int NOT NULL DEFAULT 0,
  inbound_receiving int NOT NULL DEFAULT 0,
  -- the sum as Amazon states it, to be compared with ours
  stated_total int,
  on_hand int NOT NULL GENERATED ALWAYS AS (fulfillable + unsellable + reserved + researching) STORED,
  inbound int NOT NULL GENERATED ALWAYS AS (inbound_working + inbound_shipped + inbound_receiving) STORED,
  total int NOT NULL GENERATED ALWAYS AS (fulfillable + unsellable + reserved + researching
    + inbound_working + inbound_shipped + inbound_receiving) STORED,
  -- as Amazon states it
  last_updated_at timestamptz,
  source text NOT NULL CHECK (source IN ('api', 'report')),
  -- marketplace time of the snapshot that changed it last
  as_of timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, seller_sku, condition),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX fba_stock_total ON inventory.fba_stock (company_id, total DESC, id DESC);
CALL kit.tenant_table('inventory.fba_stock');

-- The same at the end of each day of the marketplace. A day without a row was not read; it is not a day of zeros.
CREATE TABLE inventory.fba_stock_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  condition text NOT NULL,
  day date NOT NULL,
  fulfillable int NOT NULL,
  unsellable int NOT NULL,
  reserved int NOT NULL,
  researching int NOT NULL,
  inbound int NOT NULL,
  -- marketplace time of the snapshot that changed it last
  as_of timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, seller_sku, condition, day),
  FOREIGN KEY (company_id, account_id, marketplace_id, seller_sku, condition) REFERENCES inventory.fba_stock
);
CALL kit.tenant_table('inventory.fba_stock_day');

-- How fresh the stock of a marketplace is; its row is locked while a snapshot is written, so that they queue up.
CREATE TABLE inventory.fba_snapshot (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- marketplace time of the newest snapshot; an older one that comes late is left alone
  as_of timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (company_id, account_id, marketplace_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('inventory.fba_snapshot');

-- When a report file was taken over first: its content stays of that time, however often it is loaded again.
CREATE TABLE inventory.report_load (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  sha256 text NOT NULL,
  as_of timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, sha256),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('inventory.report_load');
