-- Orders that came of each other: one row as seen from each side, so that whoever may see an order sees what it belongs to.
CREATE TABLE purchase.order_link (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  -- what the other one is to it: SPLIT_FROM and SPLIT_INTO, MERGED_FROM and MERGED_INTO
  kind text NOT NULL CHECK (kind IN ('SPLIT_FROM', 'SPLIT_INTO', 'MERGED_FROM', 'MERGED_INTO')),
  other_id uuid NOT NULL,
  other_number text NOT NULL,
  by_name text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, order_id, other_id, kind),
  FOREIGN KEY (company_id, order_id) REFERENCES purchase.purchase_order,
  FOREIGN KEY (company_id, other_id) REFERENCES purchase.purchase_order
);
CREATE INDEX order_link_other ON purchase.order_link (company_id, other_id);
CALL kit.tenant_table('purchase.order_link', append_only => true);
CALL kit.data_scope_of('purchase.order_link', 'purchase.purchase_order', '{order_id}', '{id}');
