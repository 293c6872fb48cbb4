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
