CALL kit.module_schema('purchase');

-- How a company buys; a company without a row does it by the defaults.
CREATE TABLE purchase.setting (
  company_id uuid NOT NULL PRIMARY KEY,
  -- who made an order does not approve it, where somebody else could
  separate_approver boolean NOT NULL DEFAULT true,
  -- share of the ordered pieces that may come on top
  receive_tolerance numeric(5, 4) NOT NULL DEFAULT 0 CHECK (receive_tolerance BETWEEN 0 AND 1),
  -- a price this much above the mean of the last three is pointed out
  price_rise numeric(5, 4) NOT NULL DEFAULT 0.05 CHECK (price_rise BETWEEN 0 AND 1),
  -- a change that makes a placed order this much dearer is approved again
  change_tolerance numeric(5, 4) NOT NULL DEFAULT 0 CHECK (change_tolerance BETWEEN 0 AND 1)
);
CALL kit.tenant_table('purchase.setting');

CREATE TABLE purchase.purchase_order (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  type text NOT NULL CHECK (type IN ('GOODS', 'CONSUMABLE', 'SAMPLE')),
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'approved', 'ordered', 'closed', 'void')),
  version int NOT NULL DEFAULT 0,
  -- counts the changes of an order that was placed
  revision int NOT NULL DEFAULT 0,
  supplier_id uuid NOT NULL,
  -- where the goods are to come
  warehouse_id uuid NOT NULL,
  overseas boolean NOT NULL DEFAULT false,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- CNY for one unit of the currency on the day of placing; null before
  rate numeric(18, 8) CHECK (rate > 0),
  -- payment terms as they were agreed when it was saved: see the supplier's terms
  terms jsonb NOT NULL DEFAULT '[]',
  invoice_type text NOT NULL DEFAULT 'none' CHECK (invoice_type IN ('none', 'normal', 'special')),
  freight numeric(18, 4) NOT NULL DEFAULT 0 CHECK (freight >= 0),
  other_fee numeric(18, 4) NOT NULL DEFAULT 0 CHECK (other_fee >= 0),
  discount numeric(18, 4) NOT NULL DEFAULT 0 CHECK (discount >= 0),
  fee_split text NOT NULL DEFAULT 'AMOUNT' CHECK (fee_split IN ('AMOUNT', 'QTY', 'WEIGHT', 'VOLUME')),
  expected_on date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  approved_by_name text,
  approved_at timestamptz,
  placed_by_name text,
  placed_at timestamptz,
  closed_at timestamptz,
  -- Sums of the lines, written with each event in the same transaction: lists of a million orders read one row each.
  sku_count int NOT NULL DEFAULT 0,
  qty int NOT NULL DEFAULT 0,
  open_qty int NOT NULL DEFAULT 0,
  inspecting_qty int NOT NULL DEFAULT 0,
  received_qty int NOT NULL DEFAULT 0,
  returned_qty int NOT NULL DEFAULT 0,
  replacing boolean NOT NULL DEFAULT false,
  -- order currency: what was ordered, fees included; what is owed by now; what of it is paid
  amount numeric(18, 4) NOT NULL DEFAULT 0,
  due_amount numeric(18, 4) NOT NULL DEFAULT 0,
  paid_amount numeric(18, 4) NOT NULL DEFAULT 0,
  first_product_id uuid,
  -- what a placed order waits for
  stage text NOT NULL GENERATED ALWAYS AS (CASE WHEN state <> 'ordered' THEN state
    WHEN inspecting_qty > 0 THEN 'inspecting' WHEN replacing THEN 'replacing' WHEN open_qty > 0 THEN 'ordered'
    ELSE 'unpaid' END) STORED,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, first_product_id) REFERENCES product.local_product
);
CREATE INDEX purchase_order_list ON purchase.purchase_order (company_id, id DESC);
CREATE INDEX purchase_order_stage ON purchase.purchase_order (company_id, stage, id DESC);
CREATE INDEX purchase_order_supplier ON purchase.purchase_order (company_id, supplier_id, placed_at DESC);
CREATE INDEX purchase_order_warehouse ON purchase.purchase_order (company_id, warehouse_id);
CALL kit.tenant_table('purchase.purchase_order');

CREATE TABLE purchase.order_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  line_no int NOT NULL,
  product_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  gift boolean NOT NULL DEFAULT false,
  -- order currency a piece, tax included
  unit_price numeric(18, 6) NOT NULL CHECK (unit_price >= 0),
  tax_rate numeric(6, 4) NOT NULL DEFAULT 0 CHECK (tax_rate >= 0 AND tax_rate < 1),
  -- share of the price without tax that the state pays back on export, with a special invoice
  rebate_rate numeric(6, 4) NOT NULL DEFAULT 0 CHECK (rebate_rate >= 0 AND rebate_rate < 1),
  -- order currency: pieces times price, rounded to the currency's smallest unit; share of freight and fees less discount
  amount numeric(18, 4) NOT NULL DEFAULT 0,
  charge numeric(18, 4) NOT NULL DEFAULT 0,
  -- order currency: what is owed for it by now
  due numeric(18, 4) NOT NULL DEFAULT 0,
  expected_on date,
  -- what the supplier promised first; never overwritten, so that lateness does not vanish
  promised_on date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  plan_line_id uuid,
  -- most that may come, tolerance included
  limit_qty int NOT NULL,
  received int NOT NULL DEFAULT 0 CHECK (received >= 0),
  inspecting int NOT NULL DEFAULT 0 CHECK (inspecting >= 0),
  rejected int NOT NULL DEFAULT 0 CHECK (rejected >= 0),
  returned int NOT NULL DEFAULT 0 CHECK (returned >= 0),
  -- of those returned: what the supplier sends again
  replaced int NOT NULL DEFAULT 0 CHECK (replaced >= 0),
  -- ordered, not received and waited for no longer
  cancelled int NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
  open_qty int NOT NULL GENERATED ALWAYS AS (greatest(0, qty - cancelled - received + replaced)) STORED,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, order_id, line_no),
  CONSTRAINT never_more_than_ordered CHECK (received - replaced + cancelled <= limit_qty),
  CONSTRAINT returned_was_received CHECK (returned <= received - inspecting),
  CONSTRAINT replaced_was_returned CHECK (replaced <= returned),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order ON DELETE CASCADE,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX order_line_product ON purchase.order_line (company_id, product_id, id DESC);
CREATE INDEX order_line_open ON purchase.order_line (company_id, expected_on) WHERE open_qty > 0;
CALL kit.tenant_table('purchase.order_line');
CALL kit.data_scope_of('purchase.order_line', 'purchase.purchase_order', '{order_id}', '{id}');

-- Events of orders in the stock ledger, one number each: the key of their postings.
CREATE TABLE purchase.order_event (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  seq int NOT NULL,
  event text NOT NULL,
  posting_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, order_id, seq),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order
);
CALL kit.tenant_table('purchase.order_event', append_only => true);
CALL kit.data_scope_of('purchase.order_event', 'purchase.purchase_order', '{order_id}', '{id}');

-- 到货单: what a truck brought for one order.
CREATE TABLE purchase.receipt (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  order_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  -- where the pieces wait that are inspected
  inspected_at uuid,
  state text NOT NULL CHECK (state IN ('inspecting', 'done', 'reversed')),
  version int NOT NULL DEFAULT 0,
  -- given by the client: a second one with the same changes nothing
  client_id text CHECK (length(client_id) <= 100),
  posting_id uuid,
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  received_on date NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  UNIQUE (company_id, order_id, client_id),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, inspected_at) REFERENCES warehouse.warehouse
);
CREATE INDEX receipt_list ON purchase.receipt (company_id, id DESC);
CREATE INDEX receipt_state ON purchase.receipt (company_id, state, id DESC);
CREATE INDEX receipt_warehouse ON purchase.receipt (company_id, warehouse_id);
CALL kit.tenant_table('purchase.receipt');

CREATE TABLE purchase.receipt_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  receipt_id uuid NOT NULL,
  line_no int NOT NULL,
  order_line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  -- pieces that were waited for until then; beyond them it is the tolerance
  awaited int NOT NULL CHECK (awaited >= 0),
  inspecting int NOT NULL DEFAULT 0 CHECK (inspecting >= 0),
  passed int NOT NULL DEFAULT 0 CHECK (passed >= 0),
  -- accepted with a defect, by agreement
  special int NOT NULL DEFAULT 0 CHECK (special >= 0),
  rejected int NOT NULL DEFAULT 0 CHECK (rejected >= 0),
  -- order currency: what the supplier may ask for it; CNY: what it is worth in stock
  amount numeric(18, 4) NOT NULL,
  rate numeric(18, 8) NOT NULL,
  cost numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, id),
  CHECK (inspecting + passed + special + rejected = qty),
  FOREIGN KEY (company_id, receipt_id) REFERENCES purchase.receipt,
  FOREIGN KEY (company_id, order_line_id) REFERENCES purchase.order_line,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX receipt_line_receipt ON purchase.receipt_line (company_id, receipt_id);
CREATE INDEX receipt_line_order ON purchase.receipt_line (company_id, order_line_id);
CALL kit.tenant_table('purchase.receipt_line');
CALL kit.data_scope_of('purchase.receipt_line', 'purchase.receipt', '{receipt_id}', '{id}');

-- 质检: what was found of pieces that wait for it.
CREATE TABLE purchase.inspection (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  receipt_line_id uuid NOT NULL,
  passed int NOT NULL CHECK (passed >= 0),
  special int NOT NULL CHECK (special >= 0),
  rejected int NOT NULL CHECK (rejected >= 0),
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  by_name text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, receipt_line_id) REFERENCES purchase.receipt_line
);
CREATE INDEX inspection_line ON purchase.inspection (company_id, receipt_line_id);
CALL kit.tenant_table('purchase.inspection', append_only => true);
CALL kit.data_scope_of('purchase.inspection', 'purchase.receipt_line', '{receipt_line_id}', '{id}');

-- 采购退货: goods that go back to the supplier.
CREATE TABLE purchase.return_order (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  order_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  -- where the goods lie
  warehouse_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'approved', 'shipped', 'cancelled')),
  version int NOT NULL DEFAULT 0,
  -- CREDIT: less is owed; REPLACE: the supplier sends them again
  way text NOT NULL CHECK (way IN ('CREDIT', 'REPLACE')),
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  shipped_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse
);
CREATE INDEX return_order_list ON purchase.return_order (company_id, id DESC);
CREATE INDEX return_order_order ON purchase.return_order (company_id, order_id);
CREATE INDEX return_order_warehouse ON purchase.return_order (company_id, warehouse_id);
CALL kit.tenant_table('purchase.return_order');

CREATE TABLE purchase.return_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  return_id uuid NOT NULL,
  line_no int NOT NULL,
  order_line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  -- order currency: what the supplier owes for it; CNY: what left the stock. Null until it is shipped
  credit numeric(18, 4),
  cost numeric(18, 4),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, return_id) REFERENCES purchase.return_order ON DELETE CASCADE,
  FOREIGN KEY (company_id, order_line_id) REFERENCES purchase.order_line,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX return_line_return ON purchase.return_line (company_id, return_id);
CREATE INDEX return_line_order ON purchase.return_line (company_id, order_line_id);
CALL kit.tenant_table('purchase.return_line');
CALL kit.data_scope_of('purchase.return_line', 'purchase.return_order', '{return_id}', '{id}');

-- 采购规划: what is to be bought. A line is open until an order is made of it; it opens again when that order is void.
CREATE TABLE purchase.plan_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  -- null: the product's default supplier
  supplier_id uuid,
  qty int NOT NULL CHECK (qty > 0),
  need_by date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'converted')),
  batch text,
  order_id uuid,
  version int NOT NULL DEFAULT 0,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CHECK ((state = 'converted') = (order_id IS NOT NULL)),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order
);
CREATE INDEX plan_line_open ON purchase.plan_line (company_id, state, id DESC);
CREATE UNIQUE INDEX plan_line_once ON purchase.plan_line (company_id, product_id, warehouse_id) WHERE state = 'open';
CREATE INDEX plan_line_order ON purchase.plan_line (company_id, order_id) WHERE order_id IS NOT NULL;
CALL kit.tenant_table('purchase.plan_line');
