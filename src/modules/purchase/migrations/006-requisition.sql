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

ALTER TABLE purchase.plan_line
  ADD requisition_id uuid,
  ADD process_id uuid,
  DROP CONSTRAINT plan_line_state_check,
  DROP CONSTRAINT plan_line_check,
  ADD CONSTRAINT plan_line_state_check CHECK (state IN ('open', 'submitted', 'converted')),
  ADD CONSTRAINT converted_into_one CHECK ((state = 'converted') = (num_nonnulls(order_id, process_id) = 1)),
  ADD FOREIGN KEY (company_id, requisition_id) REFERENCES purchase.requisition,
  ADD FOREIGN KEY (company_id, process_id) REFERENCES purchase.process_order;
CREATE INDEX plan_line_requisition ON purchase.plan_line (company_id, requisition_id) WHERE requisition_id IS NOT NULL;
CREATE INDEX plan_line_process ON purchase.plan_line (company_id, process_id) WHERE process_id IS NOT NULL;
