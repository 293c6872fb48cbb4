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
