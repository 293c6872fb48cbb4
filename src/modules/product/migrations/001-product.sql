CALL kit.module_schema('product');

-- What the company buys and sells, by its SKU. Names and pictures come from whoever knows them first.
CREATE TABLE product.local_product (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  sku text NOT NULL CHECK (length(sku) BETWEEN 1 AND 100),
  name text NOT NULL DEFAULT '',
  image text,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, sku)
);
CALL kit.tenant_table('product.local_product');

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
  FOREIGN KEY (company_id, sku) REFERENCES product.local_product (company_id, sku),
  FOREIGN KEY (company_id, import_id) REFERENCES product.cost_import
);
CALL kit.tenant_table('product.sku_cost');
