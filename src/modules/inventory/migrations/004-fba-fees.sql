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
CALL kit.data_scope('inventory.storage_fee', 'account', 'account_id');

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
CALL kit.data_scope('inventory.aged_fee', 'account', 'account_id');

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
CALL kit.data_scope('inventory.fee_preview', 'account', 'account_id');
