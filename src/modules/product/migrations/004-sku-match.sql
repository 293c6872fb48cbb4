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
CALL kit.data_scope_of('product.sku_match_line', 'product.sku_match', ARRAY['match_id'], ARRAY['id']);

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
