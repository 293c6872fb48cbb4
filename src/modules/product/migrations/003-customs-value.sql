-- Which share of the price is declared at the customs: of the company, a country it goes to ('' for all), a category of products.
-- The category of the product comes before its parent, that before none; then the country before all countries.
CREATE TABLE product.declared_rate (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  country text NOT NULL DEFAULT '' CHECK (country ~ '^([A-Z]{2})?$'),
  category_id uuid,
  rate numeric(6, 4) NOT NULL CHECK (rate > 0 AND rate <= 1),
  version int NOT NULL DEFAULT 0,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE NULLS NOT DISTINCT (company_id, country, category_id),
  FOREIGN KEY (company_id, category_id) REFERENCES product.category ON DELETE CASCADE
);
CALL kit.tenant_table('product.declared_rate');

-- A value that is declared for a listing whatever its price, in the currency of its site.
CREATE TABLE product.declared_lock (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  msku text NOT NULL CHECK (length(msku) BETWEEN 1 AND 100),
  value numeric(18, 2) NOT NULL CHECK (value > 0),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, marketplace_id, msku),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('product.declared_lock');

-- Who agreed, and on what ground of the law, that a listing is declared below its purchase cost. It holds for the value that was
-- looked at and any higher one; a lower one wants a new one.
CREATE TABLE product.declared_approval (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  msku text NOT NULL CHECK (length(msku) BETWEEN 1 AND 100),
  value numeric(18, 2) NOT NULL CHECK (value > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- CNY, and CNY for one unit of the currency on that day
  unit_cost numeric(18, 4) NOT NULL,
  day_rate numeric(18, 8) NOT NULL CHECK (day_rate > 0),
  day date NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  legal_basis text NOT NULL CHECK (length(legal_basis) BETWEEN 1 AND 500),
  approved_by uuid,
  approved_by_name text NOT NULL,
  approved_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX declared_approval_listing ON product.declared_approval (company_id, account_id, marketplace_id, msku, approved_at DESC);
CALL kit.tenant_table('product.declared_approval', append_only => true);
