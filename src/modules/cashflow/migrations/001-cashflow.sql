CALL kit.module_schema('cashflow');

-- What a company looks at in its forecast of cash.
CREATE TABLE cashflow.setting (
  company_id uuid PRIMARY KEY,
  -- CNY: days that end below it are marked
  floor numeric(18, 4) NOT NULL DEFAULT 0 CHECK (floor >= 0),
  -- days from a payout by the marketplace to the bank account
  bank_days int NOT NULL DEFAULT 3 CHECK (bank_days BETWEEN 0 AND 30),
  version int NOT NULL DEFAULT 1,
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now()
);
CALL kit.tenant_table('cashflow.setting');
