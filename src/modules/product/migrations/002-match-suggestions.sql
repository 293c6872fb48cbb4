-- Pairings also come of suggestions, of other sites and of more kinds of rules.
ALTER TABLE product.sku_match DROP CONSTRAINT sku_match_way_check;
ALTER TABLE product.sku_match ADD CONSTRAINT sku_match_way_check CHECK (way IN
  ('manual', 'exact', 'affix', 'regex', 'wildcard', 'country', 'head', 'import', 'rename', 'inherit', 'suggest'));

ALTER TABLE product.match_rule DROP CONSTRAINT match_rule_way_check;
ALTER TABLE product.match_rule ADD CONSTRAINT match_rule_way_check CHECK (way IN
  ('exact', 'affix', 'regex', 'wildcard', 'country', 'head'));
-- pieces of the product in one unit of a listing that the rule fits
ALTER TABLE product.match_rule ADD COLUMN qty int NOT NULL DEFAULT 1 CHECK (qty > 0);

-- What a listing without a pairing probably is. Made by a job, one open row per listing; nothing is paired by it until somebody
-- accepts it. A rejected row stays, so that the same products are not suggested for the listing again.
CREATE TABLE product.match_suggestion (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  msku text NOT NULL CHECK (length(msku) BETWEEN 1 AND 100),
  -- [{"productId", "qty"}], and the ids alone in their order
  parts jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(parts) = 'array'),
  product_ids uuid[] NOT NULL,
  score int NOT NULL CHECK (score BETWEEN 0 AND 100),
  kind text NOT NULL CHECK (kind IN ('sites', 'fnsku', 'asin', 'code', 'shops', 'family', 'similar', 'title')),
  -- Chinese, the strongest first
  reasons text[] NOT NULL,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
  made_at timestamptz NOT NULL DEFAULT kit.now(),
  decided_by_name text,
  decided_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE UNIQUE INDEX match_suggestion_open ON product.match_suggestion (company_id, account_id, marketplace_id, msku)
  WHERE state = 'open';
CREATE UNIQUE INDEX match_suggestion_once ON product.match_suggestion
  (company_id, account_id, marketplace_id, msku, product_ids);
CREATE INDEX match_suggestion_list ON product.match_suggestion (company_id, state, score DESC, id DESC);
CALL kit.tenant_table('product.match_suggestion');

-- Listings that should stand for the same products and do not. Made of the pairings of today whenever some of them change, and
-- of all of them each night, because sites and FNSKUs come and go without a pairing being touched.
CREATE TABLE product.match_conflict (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  msku text NOT NULL,
  -- one MSKU on several sites of an account, or one FNSKU
  kind text NOT NULL CHECK (kind IN ('msku', 'fnsku')),
  PRIMARY KEY (company_id, account_id, marketplace_id, msku),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('product.match_conflict');
