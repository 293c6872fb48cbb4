CALL kit.module_schema('finance');

-- Whoever writes money: the functions of the ledger run as this role, and no other role may write what they write. It
-- owns no table, so row-level security binds it to the company of the transaction like everybody else.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'erp_money') THEN
    CREATE ROLE erp_money NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- two databases of one cluster being created at the same time
END $$;
DO $$
BEGIN
  EXECUTE format('GRANT erp_money TO %I', current_user);
EXCEPTION WHEN unique_violation OR SQLSTATE 'XX000' THEN
  NULL; -- the same grant from a neighbouring database at the same moment
END $$;
GRANT USAGE ON SCHEMA kit, finance TO erp_money;

-- Where money lies: a bank account, cash, a wallet. One currency each.
CREATE TABLE finance.cash_account (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50 AND name = btrim(name)),
  method text NOT NULL CHECK (method IN ('BANK', 'CASH', 'ALIPAY', 'WECHAT', 'CREDIT_CARD', 'WALLET', 'PLATFORM_TERM', 'OTHER')),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  bank_name text NOT NULL DEFAULT '' CHECK (length(bank_name) <= 100),
  -- the last digits only: what the account is paid by is not kept here
  account_tail text NOT NULL DEFAULT '' CHECK (length(account_tail) <= 10),
  is_default boolean NOT NULL DEFAULT false,
  disabled boolean NOT NULL DEFAULT false,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CREATE UNIQUE INDEX cash_account_default ON finance.cash_account (company_id, currency) WHERE is_default;
CALL kit.tenant_table('finance.cash_account');

-- What money is earned by or spent on (收支项).
CREATE TABLE finance.category (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 30 AND name = btrim(name)),
  direction text NOT NULL CHECK (direction IN ('IN', 'OUT')),
  disabled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, direction, name)
);
CALL kit.tenant_table('finance.category');

-- Months that take no more entries.
CREATE TABLE finance.period (
  company_id uuid NOT NULL,
  month date NOT NULL CHECK (month = date_trunc('month', month)::date),
  state text NOT NULL CHECK (state IN ('OPEN', 'CLOSED')),
  reason text NOT NULL DEFAULT '',
  changed_at timestamptz NOT NULL DEFAULT kit.now(),
  changed_by_name text NOT NULL,
  PRIMARY KEY (company_id, month)
);
CALL kit.tenant_table('finance.period');

-- One event of a document that moved money: posted once, taken back at most once.
CREATE TABLE finance.posting (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  source_type text NOT NULL,
  source_id text NOT NULL,
  source_event text NOT NULL,
  event_seq int NOT NULL DEFAULT 0,
  source_number text NOT NULL,
  title text NOT NULL,
  -- day of the company, Beijing
  business_date date NOT NULL,
  -- what was posted, so that the same event with other amounts is noticed
  digest text NOT NULL,
  reversal_of uuid,
  operator_id uuid,
  operator_name text NOT NULL,
  note text NOT NULL DEFAULT '',
  posted_at timestamptz NOT NULL DEFAULT kit.instant(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, source_type, source_id, source_event, event_seq),
  UNIQUE (company_id, reversal_of),
  FOREIGN KEY (company_id, reversal_of) REFERENCES finance.posting
);
CREATE INDEX posting_day ON finance.posting (company_id, business_date);
CALL kit.tenant_table('finance.posting', append_only => true);

-- What somebody owes to us or we to him, until it is settled: a payable, a prepayment, a receivable. The open rest is
-- its balance.
CREATE TABLE finance.open_item (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  book text NOT NULL CHECK (book IN ('PAYABLE', 'PREPAID', 'RECEIVABLE')),
  kind text NOT NULL CHECK (kind IN ('GOODS', 'FREIGHT', 'LATE', 'FEE', 'DEPOSIT', 'CREDIT', 'LOAN', 'ON_BEHALF', 'COST', 'OPENING', 'OTHER')),
  party_kind text NOT NULL CHECK (party_kind IN ('SUPPLIER', 'PARTNER')),
  party_id uuid NOT NULL,
  -- the order or document that it belongs to
  subject_type text NOT NULL DEFAULT '',
  subject_id text NOT NULL DEFAULT '',
  subject_number text NOT NULL DEFAULT '',
  title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  business_date date NOT NULL,
  due_on date,
  posting_id uuid NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, posting_id) REFERENCES finance.posting
);
CREATE INDEX open_item_party ON finance.open_item (company_id, party_id, book, business_date, id);
CREATE INDEX open_item_subject ON finance.open_item (company_id, subject_type, subject_id);
CREATE INDEX open_item_posting ON finance.open_item (company_id, posting_id);
CALL kit.tenant_table('finance.open_item', append_only => true);

CREATE SEQUENCE finance.money_seq;

-- Double entry: the amounts of a posting add up to 0 in each currency. + is what the company has or is owed, − what it
-- owes. ACCOUNT, PAYABLE, PREPAID and RECEIVABLE keep balances; the other books are the world outside.
CREATE TABLE finance.entry (
  company_id uuid NOT NULL,
  -- order in which balances changed
  seq bigint NOT NULL,
  posting_id uuid NOT NULL,
  line_no int NOT NULL,
  book text NOT NULL CHECK (book IN ('ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE', 'INCOME', 'EXPENSE', 'GOODS', 'EXCHANGE', 'OPENING')),
  -- the cash account or the open item
  item_id uuid,
  currency text NOT NULL,
  amount numeric(18, 4) NOT NULL CHECK (amount <> 0),
  balance_after numeric(18, 4),
  -- what it was for, where nobody chose a category
  purpose text NOT NULL,
  category_id uuid,
  memo text NOT NULL DEFAULT '' CHECK (length(memo) <= 200),
  business_date date NOT NULL,
  PRIMARY KEY (company_id, seq),
  UNIQUE (company_id, posting_id, line_no),
  CHECK ((book IN ('ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE')) = (item_id IS NOT NULL AND balance_after IS NOT NULL)),
  FOREIGN KEY (company_id, posting_id) REFERENCES finance.posting,
  FOREIGN KEY (company_id, category_id) REFERENCES finance.category
);
CREATE INDEX entry_item ON finance.entry (company_id, item_id, business_date, seq) WHERE item_id IS NOT NULL;
CREATE INDEX entry_day ON finance.entry (company_id, book, business_date);
CALL kit.tenant_table('finance.entry', append_only => true);

-- Balances: the sum of the entries, kept by the ledger in the same transaction.
CREATE TABLE finance.balance (
  company_id uuid NOT NULL,
  book text NOT NULL CHECK (book IN ('ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE')),
  item_id uuid NOT NULL,
  currency text NOT NULL,
  amount numeric(18, 4) NOT NULL DEFAULT 0,
  -- of an account, how far it may be overdrawn (a credit card, a term of payment); of an open item, its whole amount
  bound numeric(18, 4) NOT NULL DEFAULT 0 CHECK (bound >= 0),
  last_seq bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, book, item_id),
  CHECK (CASE book WHEN 'ACCOUNT' THEN amount >= -bound WHEN 'PAYABLE' THEN amount BETWEEN -bound AND 0
    ELSE amount BETWEEN 0 AND bound END)
);
CREATE INDEX balance_open ON finance.balance (company_id, book, item_id) WHERE amount <> 0;
CALL kit.tenant_table('finance.balance');

-- What the nightly self-check of the ledger found; an empty list is a proof.
CREATE TABLE finance.health_run (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT kit.now(),
  results jsonb NOT NULL,
  broken int NOT NULL,
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('finance.health_run', append_only => true);

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['posting', 'open_item', 'entry', 'balance'] LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON finance.%I FROM erp_app', name);
    EXECUTE format('GRANT SELECT, INSERT ON finance.%I TO erp_money', name);
  END LOOP;
  GRANT UPDATE, DELETE ON finance.balance TO erp_money;
  GRANT SELECT ON finance.cash_account, finance.period TO erp_money;
  GRANT USAGE ON SEQUENCE finance.money_seq TO erp_money;
END $$;
