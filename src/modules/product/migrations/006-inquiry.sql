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
