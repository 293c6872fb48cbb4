-- 超收: pieces beyond the ordered ones and the tolerance that somebody took over, at the order's price (they count as
-- received) or for nothing.
ALTER TABLE purchase.order_line
  -- of those received: beyond the limit
  ADD over_qty int NOT NULL DEFAULT 0 CHECK (over_qty >= 0),
  -- came on top for nothing; not among those received
  ADD free_qty int NOT NULL DEFAULT 0 CHECK (free_qty >= 0),
  DROP CONSTRAINT never_more_than_ordered,
  ADD CONSTRAINT never_more_than_ordered CHECK (received - replaced + cancelled <= limit_qty + over_qty);

-- Lines of pieces that came for nothing: nothing is owed for them, and they are worth nothing in stock.
ALTER TABLE purchase.receipt_line
  ADD free boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT free_of_charge CHECK (NOT free OR (amount = 0 AND cost = 0));

-- 超收单: what came beyond the limit of a line, and what became of it. Held pieces are the supplier's until they are
-- taken over: they stand in no stock and nothing is owed for them.
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
