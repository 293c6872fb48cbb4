-- Expenses that come again every month: what each draft says, on which day, and whether it still does.
CREATE TABLE expense.recurring (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'stopped')),
  -- day of the month; the last one of shorter months
  day int NOT NULL CHECK (day BETWEEN 1 AND 31),
  payee text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  -- what a draft says, as it is saved, without its day
  content jsonb NOT NULL,
  -- the day on which the next one is due
  next_on date NOT NULL,
  -- why the one that is due could not be made; '' where nothing is wrong
  problem text NOT NULL DEFAULT '',
  last_id uuid,
  last_number text NOT NULL DEFAULT '',
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id)
);
CREATE INDEX recurring_due ON expense.recurring (company_id, next_on) WHERE state = 'active';
CALL kit.tenant_table('expense.recurring');
