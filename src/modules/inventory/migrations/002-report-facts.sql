-- Pieces that left Amazon's warehouses for buyers, one row per item of a parcel; `day` is the day of dispatch in the zone of
-- the site that it was sold on. `stock` is 'ALL': a report is about all marketplaces of its account. Of the buyer only the
-- country and the state are known.
CREATE TABLE inventory.fulfilled_shipment (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  order_id text NOT NULL,
  order_item_id text NOT NULL,
  shipment_id text NOT NULL,
  item_id text NOT NULL,
  purchased_at timestamptz,
  shipped_at timestamptz NOT NULL,
  -- when Amazon told it: of two versions of a row the later one holds
  reported_at timestamptz NOT NULL,
  arrives_at timestamptz,
  seller_sku text NOT NULL,
  fnsku text NOT NULL DEFAULT '',
  asin text NOT NULL DEFAULT '',
  title text NOT NULL,
  quantity int NOT NULL,
  currency text NOT NULL,
  price numeric(20, 6),
  tax numeric(20, 6),
  shipping numeric(20, 6),
  shipping_tax numeric(20, 6),
  gift_wrap numeric(20, 6),
  gift_wrap_tax numeric(20, 6),
  discount numeric(20, 6),
  shipping_discount numeric(20, 6),
  service_level text NOT NULL,
  state text NOT NULL,
  country text NOT NULL,
  carrier text NOT NULL,
  tracking text NOT NULL,
  centre text NOT NULL,
  channel text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX fulfilled_shipment_list ON inventory.fulfilled_shipment (company_id, day DESC, shipped_at DESC, row_id DESC);
CREATE INDEX fulfilled_shipment_order ON inventory.fulfilled_shipment (company_id, order_id);
CREATE INDEX fulfilled_shipment_sku ON inventory.fulfilled_shipment (company_id, seller_sku, day DESC);
CALL kit.tenant_table('inventory.fulfilled_shipment');
CALL marketplace.undoable('inventory.fulfilled_shipment');

-- Pieces for sale in the warehouses of each European country, by day of the report; the newest day is the present.
CREATE TABLE inventory.country_day (
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
  condition text NOT NULL,
  country text NOT NULL,
  quantity int NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX country_day_list ON inventory.country_day (company_id, day DESC, row_id DESC);
CREATE INDEX country_day_sku ON inventory.country_day (company_id, seller_sku, day DESC);
CALL kit.tenant_table('inventory.country_day');
CALL marketplace.undoable('inventory.country_day');

-- What buyers send back to the seller himself; `day` is the day on which they asked for it. There is no RMA where nothing has
-- to be sent back.
CREATE TABLE inventory.merchant_return (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  order_id text NOT NULL,
  rma text NOT NULL,
  merchant_rma text NOT NULL,
  order_day date,
  delivered_day date,
  status text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL DEFAULT '',
  asin text NOT NULL,
  title text NOT NULL,
  quantity int NOT NULL,
  reason text NOT NULL,
  in_policy text NOT NULL,
  return_type text NOT NULL,
  resolution text NOT NULL,
  claim text NOT NULL,
  label_type text NOT NULL,
  label_payer text NOT NULL,
  label_cost numeric(20, 6),
  carrier text NOT NULL,
  tracking text NOT NULL,
  currency text NOT NULL,
  order_amount numeric(20, 6),
  refunded numeric(20, 6),
  safet_id text NOT NULL,
  safet_state text NOT NULL,
  safet_amount numeric(20, 6),
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX merchant_return_list ON inventory.merchant_return (company_id, day DESC, row_id DESC);
CREATE INDEX merchant_return_order ON inventory.merchant_return (company_id, order_id);
CALL kit.tenant_table('inventory.merchant_return');
CALL marketplace.undoable('inventory.merchant_return');

-- What Amazon would have taken away, by day of the report; the newest day is the present. Ages in days.
CREATE TABLE inventory.removal_advice_day (
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
  sellable int NOT NULL,
  sellable_121 int NOT NULL,
  sellable_181 int NOT NULL,
  sellable_271 int NOT NULL,
  sellable_365 int NOT NULL,
  sellable_removal int NOT NULL,
  unsellable int NOT NULL,
  unsellable_0 int NOT NULL,
  unsellable_8 int NOT NULL,
  unsellable_61 int NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX removal_advice_day_list ON inventory.removal_advice_day (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('inventory.removal_advice_day');
CALL marketplace.undoable('inventory.removal_advice_day');

-- What is charged for volume beyond the seller's limit; `day` is the day that it is charged for. No product has a part in it.
CREATE TABLE inventory.overage_fee (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL DEFAULT '',
  fnsku text NOT NULL DEFAULT '',
  asin text NOT NULL DEFAULT '',
  country text NOT NULL,
  storage_type text NOT NULL,
  usage numeric(20, 6),
  volume_limit numeric(20, 6),
  overage numeric(20, 6) NOT NULL,
  volume_unit text NOT NULL,
  rate numeric(20, 6),
  fee numeric(20, 6) NOT NULL,
  currency text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX overage_fee_list ON inventory.overage_fee (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('inventory.overage_fee');
CALL marketplace.undoable('inventory.overage_fee');
