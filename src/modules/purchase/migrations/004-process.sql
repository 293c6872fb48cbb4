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
