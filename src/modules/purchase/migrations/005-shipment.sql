-- When a supplier sent goods of an order: the days before are production, those after it the way here.
CREATE TABLE purchase.shipment (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  shipped_on date NOT NULL,
  carrier text NOT NULL DEFAULT '' CHECK (length(carrier) <= 50),
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  by_name text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order
);
CREATE INDEX shipment_order ON purchase.shipment (company_id, order_id, shipped_on);
CALL kit.tenant_table('purchase.shipment');
CALL kit.data_scope_of('purchase.shipment', 'purchase.purchase_order', '{order_id}', '{id}');
-- Reports read the orders that were placed in a period.
CREATE INDEX purchase_order_placed ON purchase.purchase_order (company_id, placed_at) WHERE placed_at IS NOT NULL;
