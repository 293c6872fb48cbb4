-- 供应商结算单: a supplier's statement of a period laid beside our own, and what came of it. Amounts are kept as they were
-- when it was confirmed.
CREATE TABLE finance.supplier_settlement (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'confirmed', 'requested', 'cancelled')),
  version int NOT NULL DEFAULT 0,
  supplier_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  from_day date NOT NULL,
  to_day date NOT NULL,
  -- our books: + is paid in advance, − is owed; null until it is confirmed
  opening numeric(18, 4),
  raised numeric(18, 4),
  paid numeric(18, 4),
  closing numeric(18, 4),
  -- what the supplier says that we owe him
  stated numeric(18, 4),
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  request_id uuid,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CHECK (from_day <= to_day),
  FOREIGN KEY (company_id, request_id) REFERENCES finance.payment_request
);
CREATE INDEX supplier_settlement_state ON finance.supplier_settlement (company_id, state, id);
CREATE INDEX supplier_settlement_supplier ON finance.supplier_settlement (company_id, supplier_id, currency, to_day);
CALL kit.tenant_table('finance.supplier_settlement');
