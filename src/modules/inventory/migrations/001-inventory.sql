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
CALL marketplace.undoable('inventory.fba_stock');

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
CALL marketplace.undoable('inventory.fba_stock_day');

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
CALL marketplace.undoable('inventory.fba_snapshot');

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
CALL marketplace.undoable('inventory.report_load');

-- What Amazon's FBA reports say, one table per report. `stock` names the stock that marketplaces share ("US", "EU", see
-- stockOf); `marketplace_id` is the one that the row names, else the first of that stock. `day` is the business day.
-- `row_id` is a hash of the row's natural key and of its number among rows with the same key.

-- Every movement into and out of Amazon's warehouses; quantities are signed.
CREATE TABLE inventory.ledger_event (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  happened_at timestamptz,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  event text NOT NULL,
  reference text NOT NULL,
  quantity int NOT NULL,
  centre text NOT NULL,
  disposition text NOT NULL,
  reason text NOT NULL,
  country text NOT NULL,
  reconciled int,
  unreconciled int,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX ledger_event_list ON inventory.ledger_event (company_id, day DESC, row_id DESC);
CREATE INDEX ledger_event_sku ON inventory.ledger_event (company_id, seller_sku, day DESC);
CALL kit.tenant_table('inventory.ledger_event');
CALL marketplace.undoable('inventory.ledger_event');

-- Balances of a product and disposition by day, and what moved between them, signed as reported.
CREATE TABLE inventory.ledger_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  disposition text NOT NULL,
  location text NOT NULL,
  starting int NOT NULL,
  in_transit int NOT NULL,
  receipts int NOT NULL,
  shipments int NOT NULL,
  customer_returns int NOT NULL,
  vendor_returns int NOT NULL,
  transfers int NOT NULL,
  found int NOT NULL,
  lost int NOT NULL,
  damaged int NOT NULL,
  disposed int NOT NULL,
  other int NOT NULL,
  unknown int NOT NULL,
  ending int NOT NULL,
  -- starting plus everything that moved; differs from `ending` where the report does not add up
  expected int NOT NULL GENERATED ALWAYS AS (starting + receipts + shipments + customer_returns + vendor_returns
    + transfers + found + lost + damaged + disposed + other + unknown) STORED,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX ledger_day_list ON inventory.ledger_day (company_id, day DESC, row_id DESC);
CREATE INDEX ledger_day_sku ON inventory.ledger_day (company_id, seller_sku, day DESC);
CALL kit.tenant_table('inventory.ledger_day');
CALL marketplace.undoable('inventory.ledger_day');

CREATE TABLE inventory.customer_return (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  returned_at timestamptz NOT NULL,
  order_id text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  quantity int NOT NULL,
  centre text NOT NULL,
  disposition text NOT NULL,
  reason text NOT NULL,
  status text NOT NULL,
  plate text NOT NULL,
  comments text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX customer_return_list ON inventory.customer_return (company_id, day DESC, row_id DESC);
CREATE INDEX customer_return_order ON inventory.customer_return (company_id, order_id);
CALL kit.tenant_table('inventory.customer_return');
CALL marketplace.undoable('inventory.customer_return');

CREATE TABLE inventory.reimbursement (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  approved_at timestamptz NOT NULL,
  reimbursement_id text NOT NULL,
  case_id text NOT NULL,
  order_id text NOT NULL,
  reason text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  condition text NOT NULL,
  currency text NOT NULL,
  amount_per_unit numeric(20, 6),
  amount numeric(20, 6) NOT NULL,
  quantity_cash int NOT NULL,
  quantity_inventory int NOT NULL,
  quantity int NOT NULL,
  original_id text NOT NULL,
  original_type text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX reimbursement_list ON inventory.reimbursement (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('inventory.reimbursement');
CALL marketplace.undoable('inventory.reimbursement');

-- Lines of removal orders; `day` is the day of the request.
CREATE TABLE inventory.removal_line (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  requested_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  order_id text NOT NULL,
  order_source text NOT NULL,
  order_type text NOT NULL,
  service_speed text NOT NULL,
  status text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  disposition text NOT NULL,
  requested int NOT NULL,
  cancelled int NOT NULL,
  disposed int NOT NULL,
  shipped int NOT NULL,
  in_process int NOT NULL,
  fee numeric(20, 6),
  currency text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX removal_line_list ON inventory.removal_line (company_id, day DESC, row_id DESC);
CREATE INDEX removal_line_order ON inventory.removal_line (company_id, order_id);
CALL kit.tenant_table('inventory.removal_line');
CALL marketplace.undoable('inventory.removal_line');

-- Parcels of removal orders; `day` is the day of dispatch.
CREATE TABLE inventory.removal_parcel (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  requested_at timestamptz,
  shipped_at timestamptz NOT NULL,
  order_id text NOT NULL,
  order_type text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  disposition text NOT NULL,
  quantity int NOT NULL,
  carrier text NOT NULL,
  tracking text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX removal_parcel_order ON inventory.removal_parcel (company_id, order_id);
CALL kit.tenant_table('inventory.removal_parcel');
CALL marketplace.undoable('inventory.removal_parcel');

-- Why pieces are reserved, by day of the report; the newest day is the present.
CREATE TABLE inventory.reserved_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  reserved int NOT NULL,
  customer_orders int NOT NULL,
  transfers int NOT NULL,
  processing int NOT NULL,
  staging int NOT NULL,
  program text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('inventory.reserved_day');
CALL marketplace.undoable('inventory.reserved_day');

-- Storage of a month per product and warehouse; `day` is the first of the month. The report names no SKU: it is that of
-- the product's label, where the stock knows one.
CREATE TABLE inventory.storage_fee (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  centre text NOT NULL,
  country text NOT NULL,
  volume numeric(20, 6),
  volume_unit text NOT NULL,
  size_tier text NOT NULL,
  average numeric(20, 6) NOT NULL,
  average_removal numeric(20, 6),
  total_volume numeric(20, 6),
  base_rate numeric(20, 6),
  surcharge_rate numeric(20, 6),
  currency text NOT NULL,
  fee numeric(20, 6) NOT NULL,
  incentive numeric(20, 6),
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX storage_fee_list ON inventory.storage_fee (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('inventory.storage_fee');
CALL marketplace.undoable('inventory.storage_fee');

-- The surcharge on pieces that lie too long; `day` is that of the snapshot.
CREATE TABLE inventory.aged_fee (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  condition text NOT NULL,
  volume numeric(20, 6),
  volume_unit text NOT NULL,
  country text NOT NULL,
  quantity int NOT NULL,
  currency text NOT NULL,
  fee numeric(20, 6) NOT NULL,
  tier text NOT NULL,
  rate numeric(20, 6),
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX aged_fee_list ON inventory.aged_fee (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('inventory.aged_fee');
CALL marketplace.undoable('inventory.aged_fee');

-- What Amazon would keep of one piece, by its own measures, by day of the report; the newest day is the present.
CREATE TABLE inventory.fee_preview (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  price numeric(20, 6),
  longest numeric(20, 6),
  median numeric(20, 6),
  shortest numeric(20, 6),
  length_unit text NOT NULL,
  weight numeric(20, 6),
  weight_unit text NOT NULL,
  size_tier text NOT NULL,
  currency text NOT NULL,
  total numeric(20, 6),
  referral numeric(20, 6),
  fulfilment numeric(20, 6),
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX fee_preview_list ON inventory.fee_preview (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('inventory.fee_preview');
CALL marketplace.undoable('inventory.fee_preview');

-- What Amazon makes of the goods in its warehouses on a day: their age, how long they last, what to do. Ages in pieces.
CREATE TABLE inventory.planning_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  condition text NOT NULL,
  available int NOT NULL,
  pending_removal int NOT NULL,
  age_0 int NOT NULL,
  age_91 int NOT NULL,
  age_181 int NOT NULL,
  age_271 int NOT NULL,
  age_366 int NOT NULL,
  age_456 int NOT NULL,
  currency text NOT NULL,
  shipped_7 int NOT NULL,
  shipped_30 int NOT NULL,
  shipped_60 int NOT NULL,
  shipped_90 int NOT NULL,
  alert text NOT NULL,
  price numeric(20, 6),
  action text NOT NULL,
  sell_through numeric(20, 6),
  storage_type text NOT NULL,
  supply_days numeric(20, 6),
  excess int NOT NULL,
  storage_cost numeric(20, 6),
  inbound int NOT NULL,
  reserved int NOT NULL,
  unfulfillable int NOT NULL,
  historical_days numeric(20, 6),
  health text NOT NULL,
  ship_in int,
  ship_in_day text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX planning_day_list ON inventory.planning_day (company_id, day DESC, row_id DESC);
CREATE INDEX planning_day_sku ON inventory.planning_day (company_id, seller_sku, day DESC);
CALL kit.tenant_table('inventory.planning_day');
CALL marketplace.undoable('inventory.planning_day');

-- Goods in the warehouse that nobody can buy, as of a day.
CREATE TABLE inventory.stranded_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  condition text NOT NULL,
  action text NOT NULL,
  stranded_day date,
  unsellable_day text NOT NULL,
  status text NOT NULL,
  detail text NOT NULL,
  message text NOT NULL,
  reason text NOT NULL,
  fulfillable int NOT NULL,
  price numeric(20, 6),
  unfulfillable int NOT NULL,
  reserved int NOT NULL,
  inbound int NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX stranded_day_list ON inventory.stranded_day (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('inventory.stranded_day');
CALL marketplace.undoable('inventory.stranded_day');

-- Days of a report type that the marketplace has delivered, and when the newest report about a day was asked for: an
-- older one changes the day no more, and neither does an upload.
CREATE TABLE inventory.fact_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  report_type text NOT NULL,
  stock text NOT NULL,
  day date NOT NULL,
  asked_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, report_type, stock, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('inventory.fact_day');
