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
CALL kit.data_scope('inventory.planning_day', 'account', 'account_id');
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
CALL kit.data_scope('inventory.stranded_day', 'account', 'account_id');
CALL marketplace.undoable('inventory.stranded_day');
