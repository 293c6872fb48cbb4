CALL kit.module_schema('expense');

-- What somebody asks to be paid back, or a cost of every day: its lines, whom it belongs to, and over how many months.
CREATE TABLE expense.document (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'submitted', 'approved', 'paid', 'returned', 'void', 'reversed')),
  version int NOT NULL DEFAULT 0,
  kind text NOT NULL CHECK (kind IN ('REIMBURSEMENT', 'DAILY')),
  -- whom it belongs to
  scope text NOT NULL CHECK (scope IN ('COMPANY', 'DEPARTMENT', 'STORE', 'SKU')),
  -- of whoever asks
  department_id uuid,
  party_kind text NOT NULL CHECK (party_kind IN ('SUPPLIER', 'PARTNER')),
  party_id uuid NOT NULL,
  payee text NOT NULL,
  spent_on date NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- sum of the lines
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  -- months that bear it, the first is that of spent_on
  months int NOT NULL CHECK (months BETWEEN 1 AND 60),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  -- CNY for one unit on the day, and what the amount came to; since the approval
  rate numeric(20, 10),
  amount_cny numeric(18, 4),
  -- the payment request under way, or the one that was paid
  request_id uuid,
  request_number text NOT NULL DEFAULT '',
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  approved_by_name text NOT NULL DEFAULT '',
  approved_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number)
);
CREATE INDEX document_newest ON expense.document (company_id, id DESC);
CREATE INDEX document_state ON expense.document (company_id, state, id DESC);
CREATE UNIQUE INDEX document_request ON expense.document (company_id, request_id) WHERE request_id IS NOT NULL;
CALL kit.tenant_table('expense.document');

CREATE TABLE expense.line (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  line_no int NOT NULL,
  fee_type text NOT NULL,
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  -- part of the amount; NULL where nobody said
  tax numeric(18, 4) CHECK (tax >= 0 AND tax <= amount),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  PRIMARY KEY (company_id, document_id, line_no),
  FOREIGN KEY (company_id, document_id) REFERENCES expense.document
);
CALL kit.tenant_table('expense.line');

-- What each department bears.
CREATE TABLE expense.department_share (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  row_no int NOT NULL,
  department_id uuid NOT NULL,
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  PRIMARY KEY (company_id, document_id, row_no),
  UNIQUE (company_id, document_id, department_id),
  FOREIGN KEY (company_id, document_id) REFERENCES expense.document
);
CALL kit.tenant_table('expense.department_share');

-- What each store bears, or a SKU in it ('' is the whole store).
CREATE TABLE expense.store_share (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  row_no int NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  sku text NOT NULL DEFAULT '',
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  PRIMARY KEY (company_id, document_id, row_no),
  UNIQUE (company_id, document_id, account_id, marketplace_id, sku),
  FOREIGN KEY (company_id, document_id) REFERENCES expense.document,
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('expense.store_share');

-- The ledger of what no store bears: what each approval put on each month, and its mirror once it was taken back.
CREATE TABLE expense.period_cost (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  mirror boolean NOT NULL,
  entry_no int NOT NULL,
  -- first day of the month
  month date NOT NULL,
  fee_type text NOT NULL,
  -- NULL is the company
  department_id uuid,
  amount_cny numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, document_id, mirror, entry_no),
  FOREIGN KEY (company_id, document_id) REFERENCES expense.document
);
CREATE INDEX period_cost_month ON expense.period_cost (company_id, month, fee_type, department_id) INCLUDE (amount_cny, mirror);
CALL kit.tenant_table('expense.period_cost', append_only => true);
