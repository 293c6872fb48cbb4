-- What people know of the boxes of an order that has left: Amazon counts pieces by shipment and SKU and never says which box
-- they came in.
CREATE TABLE shipping.box_receipt (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  box_no int NOT NULL,
  -- null: nobody says, the pieces are shared out by rule
  state text CHECK (state IN ('RECEIVED', 'PARTLY', 'MISSING')),
  -- day on which the carrier had it signed for; null where nobody knows
  delivered_on date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  version int NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, order_id, box_no),
  FOREIGN KEY (company_id, order_id, box_no) REFERENCES shipping.box ON DELETE CASCADE
);
CALL kit.tenant_table('shipping.box_receipt');
CALL kit.data_scope_of('shipping.box_receipt', 'shipping.ship_order', '{order_id}', '{id}');

-- Pieces of a box that came in part.
CREATE TABLE shipping.box_receipt_item (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  box_no int NOT NULL,
  line_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty >= 0),
  PRIMARY KEY (company_id, order_id, box_no, line_id),
  FOREIGN KEY (company_id, order_id, box_no) REFERENCES shipping.box_receipt ON DELETE CASCADE,
  FOREIGN KEY (company_id, order_id, box_no, line_id) REFERENCES shipping.box_item ON DELETE CASCADE
);
CALL kit.tenant_table('shipping.box_receipt_item');
CALL kit.data_scope_of('shipping.box_receipt_item', 'shipping.ship_order', '{order_id}', '{id}');
