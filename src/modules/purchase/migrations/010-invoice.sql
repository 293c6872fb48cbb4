-- 采购发票: what a supplier bills for pieces of an order, held against the order (price) and what was accepted (pieces).
CREATE TABLE purchase.invoice (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- as the supplier printed it
  number text NOT NULL CHECK (length(number) BETWEEN 1 AND 40),
  order_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('normal', 'special')),
  issued_on date NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'matched', 'accepted', 'void')),
  version int NOT NULL DEFAULT 0,
  -- of the order
  currency char(3) NOT NULL,
  -- CNY for one unit of it on the day of the invoice
  rate numeric(18,8) NOT NULL CHECK (rate > 0),
  -- tax included
  amount numeric(18,4) NOT NULL,
  tax_amount numeric(18,4) NOT NULL,
  -- why it waits, in words; empty where it fits
  finding text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  decided_by_name text,
  decided_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier
);
-- A supplier's invoice is written down once; one that was voided may be written down again.
CREATE UNIQUE INDEX invoice_number ON purchase.invoice (company_id, supplier_id, number) WHERE state <> 'void';
CREATE INDEX invoice_list ON purchase.invoice (company_id, id DESC);
CREATE INDEX invoice_state ON purchase.invoice (company_id, state, id DESC);
CREATE INDEX invoice_order ON purchase.invoice (company_id, order_id, id);
CALL kit.tenant_table('purchase.invoice');

CREATE TABLE purchase.invoice_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  invoice_id uuid NOT NULL,
  line_no int NOT NULL,
  order_line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  -- tax included
  unit_price numeric(18,6) NOT NULL CHECK (unit_price >= 0),
  tax_rate numeric(5,4) NOT NULL CHECK (tax_rate BETWEEN 0 AND 1),
  amount numeric(18,4) NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, invoice_id, order_line_id),
  FOREIGN KEY (company_id, invoice_id) REFERENCES purchase.invoice,
  FOREIGN KEY (company_id, order_line_id) REFERENCES purchase.order_line,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX invoice_line_order_line ON purchase.invoice_line (company_id, order_line_id);
CALL kit.tenant_table('purchase.invoice_line');
