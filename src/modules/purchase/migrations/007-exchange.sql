-- Pieces that went out to be exchanged and have not been replaced yet. They are neither returned nor open: the debt stays, and
-- what comes for them comes through the exchange.
ALTER TABLE purchase.order_line ADD COLUMN exchanging int NOT NULL DEFAULT 0 CHECK (exchanging >= 0);
-- What goes back and what is exchanged together are never more than what came and stayed.
ALTER TABLE purchase.order_line DROP CONSTRAINT returned_was_received,
  ADD CONSTRAINT returned_was_received CHECK (returned + exchanging <= received - inspecting);

-- 换货单: bad pieces of an order for which the supplier sends good ones. No money moves: what comes is worth what went.
CREATE TABLE purchase.exchange_order (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  order_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  -- where the bad pieces lie
  warehouse_id uuid NOT NULL,
  -- where the good ones are to come
  target_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'receiving', 'done', 'terminated', 'void')),
  version int NOT NULL DEFAULT 0,
  -- 锁库存: the bad pieces leave the stock when the exchange is confirmed; false: they are in no stock of ours any more
  takes_stock boolean NOT NULL DEFAULT true,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  -- what became of the pieces that were not replaced: CREDIT, less is owed; BACK, they are ours again as they were
  ending text CHECK (ending IN ('CREDIT', 'BACK')),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  confirmed_by_name text,
  confirmed_at timestamptz,
  ended_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CONSTRAINT terminated_somehow CHECK ((state = 'terminated') = (ending IS NOT NULL)),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, target_id) REFERENCES warehouse.warehouse
);
CREATE INDEX exchange_order_list ON purchase.exchange_order (company_id, id DESC);
CREATE INDEX exchange_order_state ON purchase.exchange_order (company_id, state, id DESC);
CREATE INDEX exchange_order_order ON purchase.exchange_order (company_id, order_id);
CREATE INDEX exchange_order_warehouse ON purchase.exchange_order (company_id, warehouse_id);
CALL kit.tenant_table('purchase.exchange_order');

CREATE TABLE purchase.exchange_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  exchange_id uuid NOT NULL,
  line_no int NOT NULL,
  order_line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  -- replaced by good ones; neither replaced nor waited for any more
  received int NOT NULL DEFAULT 0 CHECK (received >= 0),
  ended int NOT NULL DEFAULT 0 CHECK (ended >= 0),
  -- CNY: what all pieces cost when they were bought, known once it is confirmed; what of it is in stock again
  cost numeric(18, 4),
  cost_back numeric(18, 4) NOT NULL DEFAULT 0,
  -- order currency: what is owed no longer for the pieces that were not replaced
  credit numeric(18, 4) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, exchange_id, order_line_id),
  CONSTRAINT no_more_than_went CHECK (received + ended <= qty),
  FOREIGN KEY (company_id, exchange_id) REFERENCES purchase.exchange_order ON DELETE CASCADE,
  FOREIGN KEY (company_id, order_line_id) REFERENCES purchase.order_line,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX exchange_line_exchange ON purchase.exchange_line (company_id, exchange_id);
CREATE INDEX exchange_line_order ON purchase.exchange_line (company_id, order_line_id);
CALL kit.tenant_table('purchase.exchange_line');
CALL kit.data_scope_of('purchase.exchange_line', 'purchase.exchange_order', '{exchange_id}', '{id}');

-- Good pieces that came for bad ones.
CREATE TABLE purchase.exchange_arrival (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  exchange_line_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  -- CNY
  cost numeric(18, 4) NOT NULL,
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  by_name text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, exchange_line_id) REFERENCES purchase.exchange_line
);
CREATE INDEX exchange_arrival_line ON purchase.exchange_arrival (company_id, exchange_line_id);
CALL kit.tenant_table('purchase.exchange_arrival', append_only => true);
CALL kit.data_scope_of('purchase.exchange_arrival', 'purchase.exchange_line', '{exchange_line_id}', '{id}');
