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
  -- what was approved, in the order's currency: later changes are measured by it, however many steps they take
  approved_amount numeric(18, 4),
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
CREATE INDEX purchase_order_created
  ON purchase.purchase_order (company_id, (((created_at AT TIME ZONE 'Asia/Shanghai')::date)), id DESC);
-- What is late is among what is waited for.
CREATE INDEX purchase_order_waiting ON purchase.purchase_order (company_id, expected_on)
  WHERE state = 'ordered' AND open_qty > 0;
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
  -- of those received: beyond the limit
  over_qty int NOT NULL DEFAULT 0 CHECK (over_qty >= 0),
  -- came on top for nothing; not among those received
  free_qty int NOT NULL DEFAULT 0 CHECK (free_qty >= 0),
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
  CONSTRAINT never_more_than_ordered CHECK (received - replaced + cancelled <= limit_qty + over_qty),
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

-- Sums of purchase orders by the day they were made (Asia/Shanghai), for the counts and totals of a list of very many.
-- A cell may have several rows: each change of orders adds what it changed, in its own transaction, and waits for
-- nobody; `exact` rows were counted from the orders of their day, see recountOrders().
CREATE TABLE purchase.order_sum (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  day date NOT NULL,
  warehouse_id uuid NOT NULL,
  type text NOT NULL,
  stage text NOT NULL,
  currency text NOT NULL,
  exact boolean NOT NULL DEFAULT false,
  orders bigint NOT NULL,
  qty bigint NOT NULL,
  received_qty bigint NOT NULL,
  -- of placed orders only
  open_qty bigint NOT NULL,
  -- in the currency
  amount numeric(24, 4) NOT NULL,
  due_amount numeric(24, 4) NOT NULL,
  paid_amount numeric(24, 4) NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX order_sum_day ON purchase.order_sum (company_id, day);
CREATE INDEX order_sum_change ON purchase.order_sum (company_id, day) WHERE NOT exact;
CALL kit.tenant_table('purchase.order_sum');

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
  -- came for nothing: nothing is owed for it, and it is worth nothing in stock
  free boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, id),
  CHECK (inspecting + passed + special + rejected = qty),
  CONSTRAINT free_of_charge CHECK (NOT free OR (amount = 0 AND cost = 0)),
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

-- 超收单: what came beyond the ordered pieces and the tolerance of a line, and what became of it. Held pieces are the
-- supplier's until somebody takes them over, at the order's price (they count as received) or for nothing: till then they
-- stand in no stock and nothing is owed for them.
CREATE TABLE purchase.surplus (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  order_id uuid NOT NULL,
  order_line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('held', 'payable', 'free', 'returned', 'reversed')),
  version int NOT NULL DEFAULT 0,
  qty int NOT NULL CHECK (qty > 0),
  -- given by the client with what came: a second one with the same changes nothing
  client_id text CHECK (length(client_id) <= 100),
  -- the receipt that it came with, if anything else came; the receipt that took it over
  came_with uuid,
  receipt_id uuid,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  decided_by_name text,
  decided_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  UNIQUE (company_id, order_line_id, client_id),
  CONSTRAINT taken_over_by_a_receipt CHECK ((state IN ('payable', 'free')) <= (receipt_id IS NOT NULL)),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, order_line_id) REFERENCES purchase.order_line,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, came_with) REFERENCES purchase.receipt,
  FOREIGN KEY (company_id, receipt_id) REFERENCES purchase.receipt
);
CREATE INDEX surplus_list ON purchase.surplus (company_id, id DESC);
CREATE INDEX surplus_state ON purchase.surplus (company_id, state, id DESC);
CREATE INDEX surplus_order ON purchase.surplus (company_id, order_id);
CREATE INDEX surplus_warehouse ON purchase.surplus (company_id, warehouse_id);
CREATE INDEX surplus_receipt ON purchase.surplus (company_id, receipt_id) WHERE receipt_id IS NOT NULL;
CREATE INDEX surplus_came_with ON purchase.surplus (company_id, came_with) WHERE came_with IS NOT NULL;
CALL kit.tenant_table('purchase.surplus');

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

-- 后到费用: a bill for goods of an order that have come already.
CREATE TABLE purchase.landed_charge (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('FREIGHT', 'DUTY', 'OTHER')),
  payee_id uuid NOT NULL,
  -- CNY; what went into layers that are still there, and what came too late: together the amount
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  capitalised numeric(18, 4) NOT NULL,
  expensed numeric(18, 4) NOT NULL,
  split text NOT NULL CHECK (split IN ('AMOUNT', 'QTY', 'WEIGHT', 'VOLUME')),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  by_name text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CHECK (capitalised + expensed = amount),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, payee_id) REFERENCES supplier.supplier
);
CREATE INDEX landed_charge_order ON purchase.landed_charge (company_id, order_id);
CALL kit.tenant_table('purchase.landed_charge', append_only => true);
CALL kit.data_scope_of('purchase.landed_charge', 'purchase.purchase_order', '{order_id}', '{id}');

-- 采购变更: a change of an order that was placed. What makes it dearer than the tolerance waits for approval.
CREATE TABLE purchase.amendment (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'applied', 'rejected')),
  version int NOT NULL DEFAULT 0,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  -- [{ lineId, lineNo, productId, before: { qty, unitPrice, expectedOn }, after: the same }]
  changes jsonb NOT NULL,
  -- order currency: by how much the order gets dearer
  difference numeric(18, 4) NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  decided_by_name text,
  decided_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order
);
CREATE UNIQUE INDEX amendment_pending ON purchase.amendment (company_id, order_id) WHERE state = 'pending';
CALL kit.tenant_table('purchase.amendment');
CALL kit.data_scope_of('purchase.amendment', 'purchase.purchase_order', '{order_id}', '{id}');

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

-- 采购加工单: parts become a product, in house or at a processor who is paid for it.
CREATE TABLE purchase.process_order (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('INHOUSE', 'OUTSOURCE')),
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'approved', 'running', 'done', 'stopped', 'void')),
  version int NOT NULL DEFAULT 0,
  product_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  -- where the parts lie and the product goes
  warehouse_id uuid NOT NULL,
  -- the processor; null in house
  supplier_id uuid,
  -- CNY for a good piece, tax included
  fee_price numeric(18, 6) NOT NULL DEFAULT 0 CHECK (fee_price >= 0),
  planned_on date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  -- good pieces, and those that were spoilt: their parts are used up too
  done int NOT NULL DEFAULT 0 CHECK (done >= 0),
  scrapped int NOT NULL DEFAULT 0 CHECK (scrapped >= 0),
  -- CNY: what the processor is owed, and what the good pieces are worth in stock
  fee numeric(18, 4) NOT NULL DEFAULT 0,
  cost numeric(18, 4) NOT NULL DEFAULT 0,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CONSTRAINT never_more_than_planned CHECK (done + scrapped <= qty),
  CONSTRAINT processor_out_of_house CHECK ((kind = 'OUTSOURCE') = (supplier_id IS NOT NULL)),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier
);
CREATE INDEX process_order_list ON purchase.process_order (company_id, id DESC);
CREATE INDEX process_order_state ON purchase.process_order (company_id, state, id DESC);
CREATE INDEX process_order_warehouse ON purchase.process_order (company_id, warehouse_id);
CREATE INDEX process_order_product ON purchase.process_order (company_id, product_id, id DESC);
CALL kit.tenant_table('purchase.process_order');

-- Parts for the whole order, as the list of parts had them when it was written.
CREATE TABLE purchase.process_part (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  line_no int NOT NULL,
  product_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, order_id, line_no),
  UNIQUE (company_id, order_id, product_id),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.process_order ON DELETE CASCADE,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CALL kit.tenant_table('purchase.process_part');
CALL kit.data_scope_of('purchase.process_part', 'purchase.process_order', '{order_id}', '{id}');

-- Events in the stock ledger, one number each. `cells`: what they put into work (+) or took out of it (-), by place and lot.
CREATE TABLE purchase.process_event (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  seq int NOT NULL,
  event text NOT NULL,
  posting_id uuid NOT NULL,
  cells jsonb NOT NULL DEFAULT '[]',
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, order_id, seq),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.process_order
);
CALL kit.tenant_table('purchase.process_event', append_only => true);
CALL kit.data_scope_of('purchase.process_event', 'purchase.process_order', '{order_id}', '{id}');

-- 完工: pieces that came out of an order.
CREATE TABLE purchase.process_output (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  seq int NOT NULL,
  qty int NOT NULL CHECK (qty >= 0),
  scrapped int NOT NULL CHECK (scrapped >= 0),
  -- CNY
  fee numeric(18, 4) NOT NULL,
  cost numeric(18, 4) NOT NULL,
  posting_id uuid,
  -- given by the client: a second one with the same changes nothing
  client_id text CHECK (length(client_id) <= 100),
  reversed boolean NOT NULL DEFAULT false,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  day date NOT NULL,
  by_name text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, order_id, seq),
  UNIQUE (company_id, order_id, client_id),
  CHECK (qty + scrapped > 0),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.process_order
);
CALL kit.tenant_table('purchase.process_output');
CALL kit.data_scope_of('purchase.process_output', 'purchase.process_order', '{order_id}', '{id}');

-- 采购计划: needs that were handed in together; orders come of it once it is approved.
CREATE TABLE purchase.requisition (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'converted', 'void')),
  version int NOT NULL DEFAULT 0,
  -- hand the orders in at once
  review boolean NOT NULL DEFAULT false,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number)
);
CREATE INDEX requisition_state ON purchase.requisition (company_id, state, id DESC);
CALL kit.tenant_table('purchase.requisition');

-- What is bought or made of it, at the prices that are approved: nothing of it changes any more.
CREATE TABLE purchase.requisition_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  requisition_id uuid NOT NULL,
  line_no int NOT NULL,
  way text NOT NULL CHECK (way IN ('BUY', 'MAKE')),
  -- null: parts of a bundle that nobody planned for themselves
  plan_line_id uuid,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  -- null where it is made
  supplier_id uuid,
  qty int NOT NULL CHECK (qty > 0),
  -- tax included, in `currency`; null where it is made
  unit_price numeric(18, 6),
  amount numeric(18, 4),
  currency text NOT NULL,
  need_by date,
  -- bundles that it is a part of, by SKU
  used_for text NOT NULL DEFAULT '',
  -- what came of it
  order_id uuid,
  process_id uuid,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, requisition_id, line_no),
  CONSTRAINT bought_from_somebody CHECK ((way = 'BUY') = (supplier_id IS NOT NULL AND unit_price IS NOT NULL)),
  FOREIGN KEY (company_id, requisition_id) REFERENCES purchase.requisition ON DELETE CASCADE,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, process_id) REFERENCES purchase.process_order
);
CALL kit.tenant_table('purchase.requisition_line');

-- 采购规划: what is to be bought or made. A line is open until it is handed in with a requisition, and converted when an
-- order comes of that; it opens again when either is void.
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
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'submitted', 'converted')),
  batch text,
  requisition_id uuid,
  -- what came of it
  order_id uuid,
  process_id uuid,
  version int NOT NULL DEFAULT 0,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT converted_into_one CHECK ((state = 'converted') = (num_nonnulls(order_id, process_id) = 1)),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, requisition_id) REFERENCES purchase.requisition,
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, process_id) REFERENCES purchase.process_order
);
CREATE INDEX plan_line_open ON purchase.plan_line (company_id, state, id DESC);
CREATE UNIQUE INDEX plan_line_once ON purchase.plan_line (company_id, product_id, warehouse_id) WHERE state = 'open';
CREATE INDEX plan_line_requisition ON purchase.plan_line (company_id, requisition_id) WHERE requisition_id IS NOT NULL;
CREATE INDEX plan_line_order ON purchase.plan_line (company_id, order_id) WHERE order_id IS NOT NULL;
CREATE INDEX plan_line_process ON purchase.plan_line (company_id, process_id) WHERE process_id IS NOT NULL;
CALL kit.tenant_table('purchase.plan_line');
