CALL kit.module_schema('sales');

-- Sales of one SKU on one marketplace day. Every row can be deleted and made again from the orders to the last digit:
-- no counter here is ever incremented. Owner, brand, category and the like are joined when read.
CREATE TABLE sales.sku_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- calendar day in the marketplace's zone
  local_date date NOT NULL,
  seller_sku text NOT NULL,
  -- as sold; '' where the source does not tell
  asin text NOT NULL,
  fulfilled_by text NOT NULL,
  is_business boolean NOT NULL,
  currency text NOT NULL,
  -- distinct orders with at least one counted unit of this SKU: they do not add up over SKUs
  orders int NOT NULL,
  order_items int NOT NULL,
  units int NOT NULL,
  gross_units int NOT NULL,
  cancelled_units int NOT NULL,
  shipped_units int NOT NULL,
  product_sales numeric(18,4) NOT NULL,
  -- the part of product_sales that stands on the offer's price, because Amazon has told none yet
  estimated_sales numeric(18,4) NOT NULL,
  discount numeric(18,4) NOT NULL,
  shipping_sales numeric(18,4) NOT NULL,
  tax numeric(18,4) NOT NULL,
  replacement_units int NOT NULL,
  mcf_units int NOT NULL,
  zero_price_units int NOT NULL,
  -- counted units for which there is neither a price nor an estimate: product_sales lacks them
  unpriced_units int NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business, currency)
);
CREATE INDEX sku_day_date ON sales.sku_day (company_id, local_date);
CREATE INDEX sku_day_sku ON sales.sku_day (company_id, account_id, marketplace_id, seller_sku, local_date);
CALL kit.tenant_table('sales.sku_day');

-- Sales of half an hour, UTC. An order has one instant, one channel and one kind of buyer, so orders add up here, and a
-- day of any zone is a sum of these: every zone's offset that matters is a multiple of half an hour.
CREATE TABLE sales.slot (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- marketplace day of the orders in it
  local_date date NOT NULL,
  slot_start timestamptz NOT NULL,
  fulfilled_by text NOT NULL,
  is_business boolean NOT NULL,
  currency text NOT NULL,
  orders int NOT NULL,
  order_items int NOT NULL,
  units int NOT NULL,
  gross_units int NOT NULL,
  cancelled_units int NOT NULL,
  shipped_units int NOT NULL,
  product_sales numeric(18,4) NOT NULL,
  estimated_sales numeric(18,4) NOT NULL,
  discount numeric(18,4) NOT NULL,
  shipping_sales numeric(18,4) NOT NULL,
  tax numeric(18,4) NOT NULL,
  replacement_units int NOT NULL,
  mcf_units int NOT NULL,
  zero_price_units int NOT NULL,
  unpriced_units int NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, local_date, slot_start, fulfilled_by, is_business, currency)
);
CREATE INDEX slot_date ON sales.slot (company_id, local_date);
CALL kit.tenant_table('sales.slot');

-- Sales of a marketplace day: the sum of its slots.
CREATE TABLE sales.store_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  local_date date NOT NULL,
  fulfilled_by text NOT NULL,
  is_business boolean NOT NULL,
  currency text NOT NULL,
  orders int NOT NULL,
  order_items int NOT NULL,
  units int NOT NULL,
  gross_units int NOT NULL,
  cancelled_units int NOT NULL,
  shipped_units int NOT NULL,
  product_sales numeric(18,4) NOT NULL,
  estimated_sales numeric(18,4) NOT NULL,
  discount numeric(18,4) NOT NULL,
  shipping_sales numeric(18,4) NOT NULL,
  tax numeric(18,4) NOT NULL,
  replacement_units int NOT NULL,
  mcf_units int NOT NULL,
  zero_price_units int NOT NULL,
  unpriced_units int NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, local_date, fulfilled_by, is_business, currency)
);
CREATE INDEX store_day_date ON sales.store_day (company_id, local_date);
CALL kit.tenant_table('sales.store_day');

-- Buckets whose orders changed: either a SKU's day or a slot. Insert-only, so that whoever writes orders meets neither a
-- hot row nor a lock; a mark made while its bucket is being folded stays for the next run.
CREATE TABLE sales.dirty (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  local_date date NOT NULL,
  seller_sku text,
  slot_start timestamptz,
  at timestamptz NOT NULL DEFAULT kit.now(),
  CHECK ((seller_sku IS NULL) <> (slot_start IS NULL)),
  PRIMARY KEY (company_id, account_id, id)
);
CALL kit.tenant_table('sales.dirty');

-- Days on which a table did not equal the orders, though no mark was open. There must be none.
CREATE TABLE sales.drift (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT kit.now(),
  table_name text NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  local_date date NOT NULL,
  -- rows that were put right
  rows int NOT NULL,
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('sales.drift', append_only => true);
