CALL kit.module_schema('product');
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE product.brand (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  trademark_no text,
  valid_until date,
  remark text,
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX brand_name ON product.brand (company_id, lower(name));
CALL kit.tenant_table('product.brand');

-- Two levels: a second-level category names its parent. The level stands in the keys so that a parent is always of the
-- first level, whoever moves what at the same time.
CREATE TABLE product.category (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  level int NOT NULL CHECK (level IN (1, 2)),
  parent_id uuid,
  -- written with the category, and held to what it has to be
  parent_level int,
  code text,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  color text NOT NULL DEFAULT 'info',
  safety_days int CHECK (safety_days BETWEEN 0 AND 365),
  hs_code text CHECK (hs_code ~ '^\d{10}$'),
  sort int NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, id, level),
  CHECK ((level = 1) = (parent_id IS NULL)),
  CHECK (parent_level IS NOT DISTINCT FROM CASE WHEN level = 2 THEN 1 END),
  FOREIGN KEY (company_id, parent_id, parent_level) REFERENCES product.category (company_id, id, level)
);
CREATE UNIQUE INDEX category_name ON product.category (company_id, parent_id, lower(name)) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX category_code ON product.category (company_id, lower(code)) WHERE code IS NOT NULL;
CALL kit.tenant_table('product.category');

CREATE TABLE product.model (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  spu text NOT NULL CHECK (length(spu) BETWEEN 1 AND 50 AND spu = btrim(spu)),
  name text NOT NULL DEFAULT '',
  -- variant attributes in order: [{ "name": "颜色", "values": ["红", "蓝"] }]
  attributes jsonb NOT NULL DEFAULT '[]',
  brand_id uuid,
  category_id uuid,
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, brand_id) REFERENCES product.brand,
  FOREIGN KEY (company_id, category_id) REFERENCES product.category
);
CREATE UNIQUE INDEX model_spu ON product.model (company_id, lower(spu));
CALL kit.tenant_table('product.model');

-- What the company buys and sells, by its SKU. Names and pictures come from whoever knows them first.
CREATE TABLE product.local_product (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  sku text NOT NULL CHECK (length(sku) BETWEEN 1 AND 100),
  sku_key text GENERATED ALWAYS AS (lower(btrim(sku))) STORED,
  -- a spelling that a marketplace uses beside the product's own: it differs by case or blanks only and carries costs,
  -- but is no product of its own
  is_spelling boolean NOT NULL DEFAULT false,
  name text NOT NULL DEFAULT '',
  image text,
  kind text NOT NULL DEFAULT 'goods' CHECK (kind IN ('goods', 'consumable', 'package', 'service')),
  -- follows from the lists of parts: written by the server that saves them, never by hand
  structure text NOT NULL DEFAULT 'single' CHECK (structure IN ('single', 'bundle', 'component')),
  lifecycle text NOT NULL DEFAULT 'active' CHECK (lifecycle IN ('developing', 'active', 'clearance', 'offline')),
  model_id uuid,
  variant jsonb NOT NULL DEFAULT '{}',
  brand_id uuid,
  category_id uuid,
  barcode text,
  specification text,
  unit text NOT NULL DEFAULT '件',
  owner_id uuid,
  purchaser_id uuid,
  effective_date date,
  hazards text[] NOT NULL DEFAULT '{}' CHECK (hazards <@ ARRAY['battery', 'liquid', 'magnet', 'powder']),
  qc_level text NOT NULL DEFAULT 'none' CHECK (qc_level IN ('none', 'sample', 'full')),
  safety_share numeric(6, 4) CHECK (safety_share BETWEEN 0 AND 10),
  tag_ids uuid[] NOT NULL DEFAULT '{}',
  remark text,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '系统',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, sku),
  FOREIGN KEY (company_id, model_id) REFERENCES product.model,
  FOREIGN KEY (company_id, brand_id) REFERENCES product.brand,
  FOREIGN KEY (company_id, category_id) REFERENCES product.category
);
CREATE UNIQUE INDEX local_product_sku_key ON product.local_product (company_id, sku_key) WHERE NOT is_spelling;
CREATE INDEX local_product_list ON product.local_product (company_id, kind, lifecycle, id DESC);
CREATE INDEX local_product_category ON product.local_product (company_id, category_id);
CREATE INDEX local_product_brand ON product.local_product (company_id, brand_id);
CREATE INDEX local_product_model ON product.local_product (company_id, model_id);
CREATE INDEX local_product_owner ON product.local_product (company_id, owner_id);
CREATE UNIQUE INDEX local_product_barcode ON product.local_product (company_id, barcode) WHERE barcode IS NOT NULL;
CREATE INDEX local_product_tags ON product.local_product USING gin (tag_ids);
CALL kit.tenant_table('product.local_product');

-- People who work with products, by the name they had last: who may be chosen as owner and purchaser.
CREATE TABLE product.person (
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (company_id, user_id)
);
CALL kit.tenant_table('product.person');

-- cm and kg; 'net' is the bare product, 'packed' with its packaging, 'carton' a full carton of units_per_carton pieces.
CREATE TABLE product.dimension (
  company_id uuid NOT NULL,
  product_id uuid NOT NULL,
  role text NOT NULL CHECK (role IN ('net', 'packed', 'carton')),
  length numeric(10, 2) CHECK (length > 0),
  width numeric(10, 2) CHECK (width > 0),
  height numeric(10, 2) CHECK (height > 0),
  weight numeric(10, 3) CHECK (weight > 0),
  units_per_carton int CHECK (units_per_carton > 0),
  source text NOT NULL DEFAULT 'manual' CHECK (source IN ('manual', 'import', 'amazon')),
  PRIMARY KEY (company_id, product_id, role),
  CHECK (units_per_carton IS NULL OR role = 'carton'),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CALL kit.tenant_table('product.dimension');

CREATE TABLE product.media (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  product_id uuid NOT NULL,
  file_id uuid NOT NULL,
  sha256 text NOT NULL,
  role text NOT NULL CHECK (role IN ('main', 'packed', 'detail')),
  sort int NOT NULL DEFAULT 0,
  width int NOT NULL,
  height int NOT NULL,
  -- part of the address under which browsers read it: an <img> brings no session along
  picture_key text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, product_id, sha256),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CREATE UNIQUE INDEX media_picture ON product.media (company_id, picture_key);
CREATE UNIQUE INDEX media_main ON product.media (company_id, product_id) WHERE role = 'main';
CALL kit.tenant_table('product.media');

-- Versions of a product's list of parts. The newest one that is in force counts; older ones stay for running orders.
CREATE TABLE product.bom (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  product_id uuid NOT NULL,
  version_no int NOT NULL,
  effective_from date NOT NULL,
  note text,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, product_id, version_no),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CALL kit.tenant_table('product.bom', append_only => true);

CREATE TABLE product.bom_line (
  company_id uuid NOT NULL,
  bom_id uuid NOT NULL,
  line_no int NOT NULL,
  component_id uuid NOT NULL,
  qty_per numeric(12, 4) NOT NULL CHECK (qty_per > 0),
  scrap_share numeric(6, 4) NOT NULL DEFAULT 0 CHECK (scrap_share >= 0 AND scrap_share < 1),
  PRIMARY KEY (company_id, bom_id, line_no),
  UNIQUE (company_id, bom_id, component_id),
  FOREIGN KEY (company_id, bom_id) REFERENCES product.bom,
  FOREIGN KEY (company_id, component_id) REFERENCES product.local_product
);
CREATE INDEX bom_line_component ON product.bom_line (company_id, component_id);
CALL kit.tenant_table('product.bom_line', append_only => true);

-- Packaging and consumables that one piece takes. A product that would consume itself is refused by the server, with words.
CREATE TABLE product.consumable_use (
  company_id uuid NOT NULL,
  product_id uuid NOT NULL,
  consumable_id uuid NOT NULL,
  qty_per numeric(18, 4) NOT NULL CHECK (qty_per > 0),
  PRIMARY KEY (company_id, product_id, consumable_id),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, consumable_id) REFERENCES product.local_product
);
CREATE INDEX consumable_use_of ON product.consumable_use (company_id, consumable_id);
CALL kit.tenant_table('product.consumable_use');

-- Customs data: country '' is the export declaration, each other row the import into that country.
CREATE TABLE product.customs (
  company_id uuid NOT NULL,
  product_id uuid NOT NULL,
  country text NOT NULL CHECK (country ~ '^([A-Z]{2})?$'),
  hs_code text CHECK (hs_code ~ '^\d{4,10}$'),
  name_cn text,
  name_en text,
  elements text,
  unit_1 text,
  unit_2 text,
  unit_ratio numeric(12, 6) CHECK (unit_ratio > 0),
  refund_rate numeric(6, 4) CHECK (refund_rate BETWEEN 0 AND 1),
  declared_value numeric(18, 4) CHECK (declared_value > 0),
  declared_currency text CHECK (declared_currency ~ '^[A-Z]{3}$'),
  duty_rate numeric(6, 4) CHECK (duty_rate BETWEEN 0 AND 10),
  vat_rate numeric(6, 4) CHECK (vat_rate BETWEEN 0 AND 1),
  material text,
  purpose text,
  link text,
  PRIMARY KEY (company_id, product_id, country),
  CHECK (country <> '' OR hs_code IS NULL OR length(hs_code) = 10),
  CHECK ((declared_value IS NULL) = (declared_currency IS NULL)),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CALL kit.tenant_table('product.customs');

-- A box to pack into; cm and kg.
CREATE TABLE product.box (
  company_id uuid NOT NULL,
  product_id uuid NOT NULL,
  inner_length numeric(10, 2) CHECK (inner_length > 0),
  inner_width numeric(10, 2) CHECK (inner_width > 0),
  inner_height numeric(10, 2) CHECK (inner_height > 0),
  load_weight numeric(10, 3) CHECK (load_weight > 0),
  PRIMARY KEY (company_id, product_id),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CALL kit.tenant_table('product.box');

-- Who supplies a product, and how.
CREATE TABLE product.supply (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  product_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  is_default boolean NOT NULL,
  supplier_sku text,
  offer_id text,
  spec_id text,
  url text,
  moq int NOT NULL DEFAULT 1 CHECK (moq > 0),
  order_multiple int NOT NULL DEFAULT 1 CHECK (order_multiple > 0),
  lead_days int NOT NULL DEFAULT 0 CHECK (lead_days BETWEEN 0 AND 730),
  lead_sigma numeric(8, 2) CHECK (lead_sigma >= 0),
  defect_rate numeric(6, 4) CHECK (defect_rate BETWEEN 0 AND 1),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, product_id, supplier_id),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier
);
CREATE UNIQUE INDEX supply_default ON product.supply (company_id, product_id) WHERE is_default;
CREATE INDEX supply_supplier ON product.supply (company_id, supplier_id);
CALL kit.tenant_table('product.supply');

-- Price lists are never changed: a new list takes the place of the one before. Its tiers have no price by themselves.
CREATE TABLE product.price_list (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  product_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  tax_included boolean NOT NULL DEFAULT false,
  valid_from date NOT NULL,
  valid_to date,
  origin text NOT NULL DEFAULT 'manual' CHECK (origin IN ('manual', 'import', 'quote')),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  CHECK (valid_to >= valid_from),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier
);
CREATE INDEX price_list_of ON product.price_list (company_id, product_id, supplier_id, id DESC);
CALL kit.tenant_table('product.price_list', append_only => true);

CREATE TABLE product.price_tier (
  company_id uuid NOT NULL,
  list_id uuid NOT NULL,
  min_qty int NOT NULL CHECK (min_qty > 0),
  unit_price numeric(18, 6) NOT NULL CHECK (unit_price > 0),
  PRIMARY KEY (company_id, list_id, min_qty),
  FOREIGN KEY (company_id, list_id) REFERENCES product.price_list
);
CALL kit.tenant_table('product.price_tier', append_only => true);

-- 询价单: what suppliers ask for so many pieces of a product, side by side, until one of them is taken.
CREATE TABLE product.inquiry (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'awarded', 'closed')),
  product_id uuid NOT NULL,
  -- pieces that the prices are compared for
  qty int NOT NULL CHECK (qty > 0),
  -- until when suppliers are asked to answer
  due_on date,
  remark text,
  -- whose offer became the price list
  awarded_supplier_id uuid,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CHECK (state <> 'awarded' OR awarded_supplier_id IS NOT NULL),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, awarded_supplier_id) REFERENCES supplier.supplier
);
CREATE INDEX inquiry_state ON product.inquiry (company_id, state, id DESC);
CREATE INDEX inquiry_product ON product.inquiry (company_id, product_id, id DESC);
CALL kit.tenant_table('product.inquiry');

-- One offer for each supplier that was asked; a new one takes the place of the one before, which the audit keeps.
CREATE TABLE product.offer (
  company_id uuid NOT NULL,
  inquiry_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  tax_included boolean NOT NULL,
  moq int NOT NULL CHECK (moq > 0),
  order_multiple int NOT NULL CHECK (order_multiple > 0),
  lead_days int NOT NULL CHECK (lead_days BETWEEN 0 AND 730),
  valid_from date NOT NULL,
  valid_to date,
  remark text,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, inquiry_id, supplier_id),
  CHECK (valid_to >= valid_from),
  FOREIGN KEY (company_id, inquiry_id) REFERENCES product.inquiry ON DELETE CASCADE,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier
);
CALL kit.tenant_table('product.offer');

CREATE TABLE product.offer_tier (
  company_id uuid NOT NULL,
  inquiry_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  min_qty int NOT NULL CHECK (min_qty > 0),
  unit_price numeric(18, 6) NOT NULL CHECK (unit_price > 0),
  PRIMARY KEY (company_id, inquiry_id, supplier_id, min_qty),
  FOREIGN KEY (company_id, inquiry_id, supplier_id) REFERENCES product.offer ON DELETE CASCADE
);
CALL kit.tenant_table('product.offer_tier');

-- Import of purchase costs: a document that can be taken back.
CREATE TABLE product.cost_import (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'posted', 'reversed')),
  version int NOT NULL DEFAULT 0,
  file_name text NOT NULL,
  file_id uuid,
  sha256 text NOT NULL,
  row_count int NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CREATE INDEX cost_import_bytes ON product.cost_import (company_id, sha256);
CALL kit.tenant_table('product.cost_import');

CREATE TABLE product.cost_import_line (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line_no int NOT NULL,
  sku text NOT NULL,
  name text NOT NULL DEFAULT '',
  unit_cost numeric(18, 4) NOT NULL CHECK (unit_cost > 0),
  valid_from date NOT NULL,
  -- what stood there before the posting; null where nothing did
  previous_cost numeric(18, 4),
  PRIMARY KEY (company_id, import_id, line_no),
  UNIQUE (company_id, import_id, sku, valid_from),
  FOREIGN KEY (company_id, import_id) REFERENCES product.cost_import
);
CALL kit.tenant_table('product.cost_import_line');

-- Purchase cost of one piece from a day on, until the next row of the SKU begins.
CREATE TABLE product.sku_cost (
  company_id uuid NOT NULL,
  sku text NOT NULL,
  valid_from date NOT NULL,
  unit_cost numeric(18, 4) NOT NULL CHECK (unit_cost > 0),
  currency text NOT NULL DEFAULT 'CNY',
  -- the import that wrote it; null for an entry by hand
  import_id uuid,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, sku, valid_from),
  -- a renamed product takes its costs along
  FOREIGN KEY (company_id, sku) REFERENCES product.local_product (company_id, sku) ON UPDATE CASCADE,
  FOREIGN KEY (company_id, import_id) REFERENCES product.cost_import
);
CALL kit.tenant_table('product.sku_cost');

-- Which products, and how many of each, one unit of a marketplace's SKU is, over time. A listing without a row stands
-- for one piece of the product that is called like it, if there is one.
CREATE TABLE product.sku_match (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  msku text NOT NULL CHECK (length(msku) BETWEEN 1 AND 100),
  valid_from date NOT NULL DEFAULT '2000-01-01',
  valid_to date CHECK (valid_to >= valid_from),
  period daterange NOT NULL GENERATED ALWAYS AS (daterange(valid_from, valid_to, '[]')) STORED,
  way text NOT NULL CHECK (way IN ('manual', 'exact', 'affix', 'regex', 'import', 'rename')),
  rule_id uuid,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  CONSTRAINT sku_match_overlap EXCLUDE USING gist
    (company_id WITH =, account_id WITH =, marketplace_id WITH =, msku WITH =, period WITH &&)
);
CREATE INDEX sku_match_msku ON product.sku_match (company_id, msku);
CALL kit.tenant_table('product.sku_match');

CREATE TABLE product.sku_match_line (
  company_id uuid NOT NULL,
  match_id uuid NOT NULL,
  product_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  PRIMARY KEY (company_id, match_id, product_id),
  FOREIGN KEY (company_id, match_id) REFERENCES product.sku_match ON DELETE CASCADE,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX sku_match_line_product ON product.sku_match_line (company_id, product_id);
CALL kit.tenant_table('product.sku_match_line');
CALL kit.data_scope_of('product.sku_match_line', 'product.sku_match', ARRAY['match_id'], ARRAY['id']);

CREATE TABLE product.match_rule (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  way text NOT NULL CHECK (way IN ('exact', 'affix', 'regex')),
  prefix text NOT NULL DEFAULT '',
  suffix text NOT NULL DEFAULT '',
  pattern text NOT NULL DEFAULT '',
  -- what the SKU is made of what the pattern found: $1, $2 …
  replacement text NOT NULL DEFAULT '',
  enabled boolean NOT NULL DEFAULT true,
  sort int NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('product.match_rule');

-- Cost of one unit of a matched listing from a day on: what its products cost together, NULL while one of them has no
-- cost. Made of matches and costs, never written by hand. From a row with own = false on the cost of the SKU itself
-- holds again.
CREATE TABLE product.listing_cost (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  msku text NOT NULL,
  valid_from date NOT NULL,
  own boolean NOT NULL,
  unit_cost numeric(18, 4),
  PRIMARY KEY (company_id, account_id, marketplace_id, msku, valid_from),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('product.listing_cost');

-- A table that somebody uploads: checked whole, kept here, written by one statement per table or not at all.
CREATE TABLE product.table_import (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'posted')),
  version int NOT NULL DEFAULT 0,
  file_name text NOT NULL,
  file_id uuid,
  sha256 text NOT NULL,
  row_count int NOT NULL,
  changed int,
  created_by uuid,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CALL kit.tenant_table('product.table_import');

-- Rows of a checked file; values in the order of the columns of its kind, as they will be written.
CREATE TABLE product.table_import_line (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line_no int NOT NULL,
  cells text[] NOT NULL,
  PRIMARY KEY (company_id, import_id, line_no),
  FOREIGN KEY (company_id, import_id) REFERENCES product.table_import
);
CALL kit.tenant_table('product.table_import_line');
