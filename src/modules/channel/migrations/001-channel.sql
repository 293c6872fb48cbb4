CALL kit.module_schema('channel');

-- A shop at another platform than Amazon's; it comes into being with its first order. Rows of the tables below name it, or the
-- seller account that sells at Amazon: data rights are given on the latter, so who reaches some stores only sees none of these.
CREATE TABLE channel.shop (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  platform text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60 AND name = btrim(name)),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, platform, name)
);
CALL kit.tenant_table('channel.shop');
CALL kit.data_scope('channel.shop', 'account', 'id');

-- Orders of other platforms, as the newest file told them.
CREATE TABLE channel.platform_order (
  company_id uuid NOT NULL,
  shop_id uuid NOT NULL,
  order_no text NOT NULL CHECK (length(order_no) BETWEEN 1 AND 80),
  -- day on which it was placed, as the shop counts its days
  day date NOT NULL,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  warehouse text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, shop_id, order_no),
  FOREIGN KEY (company_id, shop_id) REFERENCES channel.shop
);
CREATE INDEX platform_order_day ON channel.platform_order (company_id, day);
CALL kit.tenant_table('channel.platform_order');
CALL kit.data_scope('channel.platform_order', 'account', 'shop_id');

CREATE TABLE channel.platform_line (
  company_id uuid NOT NULL,
  shop_id uuid NOT NULL,
  order_no text NOT NULL,
  line_no int NOT NULL CHECK (line_no > 0),
  id uuid NOT NULL DEFAULT uuidv7(),
  platform_sku text NOT NULL CHECK (length(platform_sku) BETWEEN 1 AND 100),
  -- 0: the line was cancelled
  qty int NOT NULL CHECK (qty >= 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- what the buyer paid for the goods, what sending them cost, what the platform kept
  sales numeric(18, 4) NOT NULL,
  ship_fee numeric(18, 4) NOT NULL DEFAULT 0,
  commission numeric(18, 4) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, shop_id, order_no, line_no),
  UNIQUE (company_id, id),
  FOREIGN KEY (company_id, shop_id, order_no) REFERENCES channel.platform_order
);
CREATE INDEX platform_line_sku ON channel.platform_line (company_id, shop_id, platform_sku);
CALL kit.tenant_table('channel.platform_line');
CALL kit.data_scope('channel.platform_line', 'account', 'shop_id');

-- SKUs as those lines name them; counted anew whenever lines or bindings of one change. Open: on their day nothing was bound.
CREATE TABLE channel.platform_sku (
  company_id uuid NOT NULL,
  shop_id uuid NOT NULL,
  platform_sku text NOT NULL,
  lines int NOT NULL,
  open_lines int NOT NULL,
  open_units int NOT NULL,
  first_day date NOT NULL,
  last_day date NOT NULL,
  PRIMARY KEY (company_id, shop_id, platform_sku),
  FOREIGN KEY (company_id, shop_id) REFERENCES channel.shop
);
CREATE INDEX platform_sku_open ON channel.platform_sku (company_id, open_lines DESC);
CALL kit.tenant_table('channel.platform_sku');
CALL kit.data_scope('channel.platform_sku', 'account', 'shop_id');

-- Which product, and how many pieces of it, one unit of a platform's SKU is from a day on, until the next row of it.
CREATE TABLE channel.sku_binding (
  company_id uuid NOT NULL,
  shop_id uuid NOT NULL,
  platform_sku text NOT NULL CHECK (length(platform_sku) BETWEEN 1 AND 100),
  valid_from date NOT NULL DEFAULT '2000-01-01',
  product_id uuid NOT NULL,
  units int NOT NULL CHECK (units > 0),
  -- 'same': found by itself, because the product is called like the platform's SKU
  way text NOT NULL CHECK (way IN ('manual', 'same')),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, shop_id, platform_sku, valid_from),
  FOREIGN KEY (company_id, shop_id) REFERENCES channel.shop,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX sku_binding_product ON channel.sku_binding (company_id, product_id);
CALL kit.tenant_table('channel.sku_binding');
CALL kit.data_scope('channel.sku_binding', 'account', 'shop_id');

-- What was sold of a product on a day under a SKU of a shop. Every row can be deleted and made again to the last digit from
-- sales.sku_day (Amazon), the lines above, what the SKUs stood for on that day, and what products cost and were made of on it.
CREATE TABLE channel.sold_day (
  company_id uuid NOT NULL,
  -- the shop, at Amazon the seller account
  shop_id uuid NOT NULL,
  country text NOT NULL,
  platform_sku text NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  product_id uuid NOT NULL,
  -- 'sold': the product itself, with all of the money; 'part': pieces out of a bundle that was sold
  via text NOT NULL CHECK (via IN ('sold', 'part')),
  platform text NOT NULL,
  units numeric(18, 4) NOT NULL,
  -- the product is a bundle on that day: its pieces stand in rows of their own
  is_bundle boolean NOT NULL,
  sales numeric(18, 4) NOT NULL,
  -- NULL: not known, as with Amazon
  ship_fee numeric(18, 4),
  commission numeric(18, 4),
  -- CNY by the purchase cost that held on the day; NULL where there is none
  cost numeric(18, 4),
  PRIMARY KEY (company_id, shop_id, platform_sku, day, country, currency, product_id, via)
);
CREATE INDEX sold_day_day ON channel.sold_day (company_id, day) WHERE via = 'sold';
CREATE INDEX sold_day_product ON channel.sold_day (company_id, product_id, day);
CALL kit.tenant_table('channel.sold_day');
CALL kit.data_scope('channel.sold_day', 'account', 'shop_id');

-- Units of a product at a shop and country over the last whole days there: as sold, and with bundles taken apart (x). Made of
-- sold_day; the windows move with the days, so all rows are made anew some times a day.
CREATE TABLE channel.pace (
  company_id uuid NOT NULL,
  shop_id uuid NOT NULL,
  country text NOT NULL,
  product_id uuid NOT NULL,
  platform text NOT NULL,
  -- the present day there: windows end with the day before it
  today date NOT NULL,
  u1 numeric(18, 4) NOT NULL,
  u3 numeric(18, 4) NOT NULL,
  u7 numeric(18, 4) NOT NULL,
  u14 numeric(18, 4) NOT NULL,
  u30 numeric(18, 4) NOT NULL,
  u60 numeric(18, 4) NOT NULL,
  u90 numeric(18, 4) NOT NULL,
  x1 numeric(18, 4) NOT NULL,
  x3 numeric(18, 4) NOT NULL,
  x7 numeric(18, 4) NOT NULL,
  x14 numeric(18, 4) NOT NULL,
  x30 numeric(18, 4) NOT NULL,
  x60 numeric(18, 4) NOT NULL,
  x90 numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, product_id, shop_id, country)
);
CALL kit.tenant_table('channel.pace');
CALL kit.data_scope('channel.pace', 'account', 'shop_id');

-- SKUs of shops whose days must be made anew; all of a shop where none is named. Insert-only, so that whoever writes facts
-- meets no lock.
CREATE TABLE channel.dirty (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  shop_id uuid NOT NULL,
  platform_sku text,
  from_day date NOT NULL,
  to_day date NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('channel.dirty');
