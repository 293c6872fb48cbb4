-- Entries that are the same money as lines of the bank: their sums are equal. 勾兑
CREATE TABLE finance.bank_match (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  cash_account_id uuid NOT NULL,
  -- of the lines and of the entries, in the currency of the account
  amount numeric(18, 4) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, cash_account_id) REFERENCES finance.cash_account
);
CALL kit.tenant_table('finance.bank_match');

CREATE TABLE finance.bank_match_entry (
  company_id uuid NOT NULL,
  match_id uuid NOT NULL,
  entry_seq bigint NOT NULL,
  PRIMARY KEY (company_id, entry_seq),
  FOREIGN KEY (company_id, match_id) REFERENCES finance.bank_match ON DELETE CASCADE,
  FOREIGN KEY (company_id, entry_seq) REFERENCES finance.entry
);
CREATE INDEX bank_match_entry_match ON finance.bank_match_entry (company_id, match_id);
CALL kit.tenant_table('finance.bank_match_entry');

-- 银行流水: what the bank says happened on an account, one row each, in its order.
CREATE SEQUENCE finance.bank_seq;
GRANT USAGE ON SEQUENCE finance.bank_seq TO erp_app;
CREATE TABLE finance.bank_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  cash_account_id uuid NOT NULL,
  seq bigint NOT NULL DEFAULT nextval('finance.bank_seq'),
  day date NOT NULL,
  -- + came in, − went out; in the currency of the account
  amount numeric(18, 4) NOT NULL CHECK (amount <> 0),
  -- of the account after the line; null where the bank does not say
  balance numeric(18, 4),
  counterparty text NOT NULL DEFAULT '' CHECK (length(counterparty) <= 200),
  counterparty_account text NOT NULL DEFAULT '' CHECK (length(counterparty_account) <= 60),
  summary text NOT NULL DEFAULT '' CHECK (length(summary) <= 300),
  serial text NOT NULL DEFAULT '' CHECK (length(serial) <= 100),
  -- the bank's serial number, else what the line says and the how manieth of its like it is: the same line comes in once
  identity text NOT NULL,
  ignored boolean NOT NULL DEFAULT false,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  match_id uuid,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, cash_account_id, identity),
  CHECK (NOT (ignored AND match_id IS NOT NULL)),
  FOREIGN KEY (company_id, cash_account_id) REFERENCES finance.cash_account,
  FOREIGN KEY (company_id, match_id) REFERENCES finance.bank_match
);
CREATE INDEX bank_line_day ON finance.bank_line (company_id, cash_account_id, day, seq);
CREATE INDEX bank_line_open ON finance.bank_line (company_id, cash_account_id) WHERE match_id IS NULL;
CREATE INDEX bank_line_match ON finance.bank_line (company_id, match_id) WHERE match_id IS NOT NULL;
CALL kit.tenant_table('finance.bank_line');

-- What was on an account by the bank before its first line.
CREATE TABLE finance.bank_opening (
  company_id uuid NOT NULL,
  cash_account_id uuid NOT NULL,
  amount numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, cash_account_id),
  FOREIGN KEY (company_id, cash_account_id) REFERENCES finance.cash_account
);
CALL kit.tenant_table('finance.bank_opening');
