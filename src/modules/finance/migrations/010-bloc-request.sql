-- 往来申请: a loan, a payment on somebody's behalf or a cost that moves, between companies of the group (集团内公司, partners of
-- kind GROUP) or between one of them and the own company. What is carried out stands in the ledger; the row keeps how.
CREATE TABLE finance.bloc_request (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('LOAN', 'ON_BEHALF', 'COST')),
  state text NOT NULL CHECK (state IN ('draft', 'submitted', 'approved', 'done', 'returned', 'cancelled')),
  version int NOT NULL DEFAULT 0,
  -- who gives and is owed afterwards, and who gets and owes; null is the own company
  giver_id uuid,
  taker_id uuid,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  -- whom the money goes to that is paid on behalf of another
  payee text NOT NULL DEFAULT '' CHECK (length(payee) <= 100),
  reason text NOT NULL CHECK (length(reason) <= 200),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  wished_on date,
  -- by when it is to be paid back
  due_on date,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  approved_by uuid,
  approved_by_name text NOT NULL DEFAULT '',
  approved_at timestamptz,
  -- how it was carried out: the account that money left or came into and how much in its currency, with the bank's fee; else
  -- the debt that the other company paid, or the category of the cost
  posting_id uuid,
  cash_account_id uuid,
  paid numeric(18, 4) CHECK (paid > 0),
  fee numeric(18, 4) NOT NULL DEFAULT 0 CHECK (fee >= 0),
  payable_id uuid,
  category_id uuid,
  done_on date,
  done_by_name text NOT NULL DEFAULT '',
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 200),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CHECK (giver_id IS DISTINCT FROM taker_id),
  FOREIGN KEY (company_id, giver_id) REFERENCES finance.partner,
  FOREIGN KEY (company_id, taker_id) REFERENCES finance.partner,
  FOREIGN KEY (company_id, posting_id) REFERENCES finance.posting,
  FOREIGN KEY (company_id, cash_account_id) REFERENCES finance.cash_account,
  FOREIGN KEY (company_id, payable_id) REFERENCES finance.open_item,
  FOREIGN KEY (company_id, category_id) REFERENCES finance.category
);
CREATE INDEX bloc_request_state ON finance.bloc_request (company_id, state, id);
CREATE INDEX bloc_request_giver ON finance.bloc_request (company_id, giver_id);
CREATE INDEX bloc_request_taker ON finance.bloc_request (company_id, taker_id);
CALL kit.tenant_table('finance.bloc_request');
