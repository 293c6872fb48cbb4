CALL kit.module_schema('performance');

-- What a member shall earn in a month: gross profit in CNY. Null is a target that was taken away; its version goes on.
CREATE TABLE performance.target (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  amount numeric(18, 2) CHECK (amount > 0),
  version int NOT NULL DEFAULT 1,
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, member_id, month),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CREATE INDEX target_month ON performance.target (company_id, month);
CALL kit.tenant_table('performance.target');

-- What part of the gross profit is commission, by how much of the target was reached: [{upTo, rate}], parts of 1, the last step open.
-- A rule holds from its month until a later one; none is ever changed.
CREATE TABLE performance.rule (
  company_id uuid NOT NULL,
  from_month date NOT NULL CHECK (extract(day FROM from_month) = 1),
  steps jsonb NOT NULL,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, from_month)
);
CALL kit.tenant_table('performance.rule', append_only => true);
