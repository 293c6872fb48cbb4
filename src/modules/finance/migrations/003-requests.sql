-- Whom money is owed to or by, besides the suppliers (往来单位).
CREATE TABLE finance.partner (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  kind text NOT NULL CHECK (kind IN ('GROUP', 'CARRIER', 'PLATFORM', 'EMPLOYEE', 'OTHER')),
  disabled boolean NOT NULL DEFAULT false,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CALL kit.tenant_table('finance.partner');

-- 请款单. What is paid of it stands in finance.payment; `paid_amount` is their sum, kept under the lock of the row.
CREATE TABLE finance.payment_request (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('DEPOSIT', 'BALANCE', 'FREIGHT', 'SETTLEMENT', 'EXPENSE')),
  state text NOT NULL CHECK (state IN ('draft', 'submitted', 'approved', 'partly', 'paid', 'returned', 'reversed', 'cancelled')),
  version int NOT NULL DEFAULT 0,
  party_kind text NOT NULL CHECK (party_kind IN ('SUPPLIER', 'PARTNER')),
  party_id uuid NOT NULL,
  -- the order that it is for
  subject_type text NOT NULL DEFAULT '',
  subject_id text NOT NULL DEFAULT '',
  subject_number text NOT NULL DEFAULT '',
  method text NOT NULL,
  -- the account that it is meant to be paid from; whoever pays may choose another one
  cash_account_id uuid,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  paid_amount numeric(18, 4) NOT NULL DEFAULT 0,
  due_on date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  approved_by_name text NOT NULL DEFAULT '',
  approved_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CHECK (paid_amount BETWEEN 0 AND amount),
  CHECK (paid_amount = 0 OR state IN ('partly', 'paid')),
  FOREIGN KEY (company_id, cash_account_id) REFERENCES finance.cash_account
);
CREATE INDEX payment_request_state ON finance.payment_request (company_id, state, id);
CREATE INDEX payment_request_subject ON finance.payment_request (company_id, subject_type, subject_id);
CREATE INDEX payment_request_party ON finance.payment_request (company_id, party_id);
CALL kit.tenant_table('finance.payment_request');

CREATE TABLE finance.payment_request_line (
  company_id uuid NOT NULL,
  request_id uuid NOT NULL,
  line_no int NOT NULL,
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  -- the debt that it pays; without one the oldest of the order, then the party is paid in advance
  payable_id uuid,
  category_id uuid,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  PRIMARY KEY (company_id, request_id, line_no),
  FOREIGN KEY (company_id, request_id) REFERENCES finance.payment_request ON DELETE CASCADE,
  FOREIGN KEY (company_id, payable_id) REFERENCES finance.open_item,
  FOREIGN KEY (company_id, category_id) REFERENCES finance.category
);
CALL kit.tenant_table('finance.payment_request_line');

-- Several requests that were paid in one go, by the id that the client gave it.
CREATE TABLE finance.payment_batch (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  cash_account_id uuid NOT NULL,
  requests int NOT NULL,
  -- in the currency of the account
  paid numeric(18, 4) NOT NULL,
  fee numeric(18, 4) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, cash_account_id) REFERENCES finance.cash_account
);
CALL kit.tenant_table('finance.payment_batch', append_only => true);

CREATE TABLE finance.payment (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  request_id uuid NOT NULL,
  batch_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  cash_account_id uuid NOT NULL,
  -- of the request, in its currency
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  -- what left the account in its currency: for the request, and to the bank
  paid numeric(18, 4) NOT NULL CHECK (paid > 0),
  fee numeric(18, 4) NOT NULL DEFAULT 0 CHECK (fee >= 0),
  paid_on date NOT NULL,
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 200),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, posting_id),
  FOREIGN KEY (company_id, request_id) REFERENCES finance.payment_request,
  FOREIGN KEY (company_id, batch_id) REFERENCES finance.payment_batch,
  FOREIGN KEY (company_id, posting_id) REFERENCES finance.posting,
  FOREIGN KEY (company_id, cash_account_id) REFERENCES finance.cash_account
);
CREATE INDEX payment_request_of ON finance.payment (company_id, request_id);
CALL kit.tenant_table('finance.payment', append_only => true);
