-- Bills that were taken back: what left the layers again and what was a variance, both as they were booked, CNY and mostly below 0.
CREATE TABLE purchase.charge_reversal (
  company_id uuid NOT NULL,
  charge_id uuid NOT NULL,
  capitalised numeric(18, 4) NOT NULL,
  expensed numeric(18, 4) NOT NULL,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 200),
  by_name text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, charge_id),
  FOREIGN KEY (company_id, charge_id) REFERENCES purchase.landed_charge
);
CALL kit.tenant_table('purchase.charge_reversal', append_only => true);
CALL kit.data_scope_of('purchase.charge_reversal', 'purchase.landed_charge', '{charge_id}', '{id}');
