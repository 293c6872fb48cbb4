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

-- Accounts, categories, partners

-- Where money lies: a bank account, cash, a wallet. One currency each.
CREATE TABLE finance.cash_account (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50 AND name = btrim(name)),
  method text NOT NULL
    CHECK (method IN ('BANK', 'CASH', 'ALIPAY', 'WECHAT', 'CREDIT_CARD', 'WALLET', 'PLATFORM_TERM', 'OTHER')),
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

-- The ledger: postings, open items, entries and balances are written by finance.post, reverse, set_overdraft and
-- rebuild_balances only

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
  kind text NOT NULL CHECK (kind IN (
    'GOODS', 'FREIGHT', 'LATE', 'FEE', 'DEPOSIT', 'CREDIT', 'LOAN', 'ON_BEHALF', 'COST', 'OPENING', 'OTHER')),
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
  book text NOT NULL CHECK (book IN (
    'ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE', 'INCOME', 'EXPENSE', 'GOODS', 'EXCHANGE', 'OPENING')),
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

-- Whoever works as the application reads what the ledger writes, and no more.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON finance.posting, finance.open_item, finance.entry, finance.balance FROM erp_app;
GRANT SELECT, INSERT ON finance.posting, finance.open_item, finance.entry, finance.balance TO erp_money;
GRANT UPDATE, DELETE ON finance.balance TO erp_money;
GRANT USAGE ON SEQUENCE finance.money_seq TO erp_money;
GRANT SELECT ON finance.cash_account, finance.period TO erp_money;

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

-- Rates

-- Official rates by day: CNY for one unit. A day without one takes the last before it.
CREATE TABLE finance.day_rate (
  company_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'CNY'),
  day date NOT NULL,
  rate numeric(20, 10) NOT NULL CHECK (rate > 0),
  source text NOT NULL DEFAULT '手工录入' CHECK (length(source) <= 50),
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, currency, day)
);
CALL kit.tenant_table('finance.day_rate');

-- The company's own rates by month (我的汇率): CNY for one unit. Where there is none, the mean of the days holds.
CREATE TABLE finance.month_rate (
  company_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  month date NOT NULL CHECK (month = date_trunc('month', month)::date),
  rate numeric(20, 10) NOT NULL CHECK (rate > 0),
  source text NOT NULL DEFAULT '手工录入',
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, currency, month)
);
CALL kit.tenant_table('finance.month_rate');

-- Payment requests

-- 请款单. What is paid of it stands in finance.payment; `paid_amount` is their sum, kept under the lock of the row.
CREATE TABLE finance.payment_request (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('DEPOSIT', 'BALANCE', 'FREIGHT', 'SETTLEMENT', 'EXPENSE')),
  state text NOT NULL
    CHECK (state IN ('draft', 'submitted', 'approved', 'partly', 'paid', 'returned', 'reversed', 'cancelled')),
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
-- What requests have named of a debt is asked whenever one is made.
CREATE INDEX payment_request_line_payable ON finance.payment_request_line (company_id, payable_id) WHERE payable_id IS NOT NULL;
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

-- Suppliers' statements

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

-- Bills of platforms

-- 平台账单: what 1688 says a buying account has to pay back on a day, as it was uploaded. Amounts in CNY.
CREATE TABLE finance.platform_bill (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('uploaded', 'partly', 'matched', 'confirmed', 'settled', 'cancelled')),
  version int NOT NULL DEFAULT 0,
  buyer_account text NOT NULL CHECK (length(buyer_account) BETWEEN 1 AND 100),
  statement_date date NOT NULL,
  due_on date NOT NULL,
  -- what the head of the workbook says; the lines add up to it
  amount numeric(18, 4) NOT NULL,
  order_count int NOT NULL,
  exported_at timestamptz,
  file_name text NOT NULL DEFAULT '' CHECK (length(file_name) <= 200),
  -- SHA-256 of the file: the same file again is the same bill
  file_hash text NOT NULL,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number)
);
-- A bill that was void by mistake can be uploaded again.
CREATE UNIQUE INDEX platform_bill_day ON finance.platform_bill (company_id, buyer_account, statement_date)
 WHERE state <> 'cancelled';
CREATE INDEX platform_bill_state ON finance.platform_bill (company_id, state, id);
CALL kit.tenant_table('finance.platform_bill');

-- 账单明细: one order of a bill. The same order may be in several bills: part of it is billed later, or given back.
CREATE TABLE finance.platform_bill_order (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  bill_id uuid NOT NULL,
  line_no int NOT NULL,
  order_id text NOT NULL CHECK (order_id ~ '^\d{10,30}$'),
  paid_at timestamptz,
  name text NOT NULL DEFAULT '',
  paid numeric(18, 4),
  confirmed numeric(18, 4),
  confirmed_at timestamptz,
  term text NOT NULL DEFAULT '',
  refunded boolean NOT NULL DEFAULT false,
  -- 0 or more
  refund numeric(18, 4),
  -- what is billed: confirmed less refund
  amount numeric(18, 4) NOT NULL,
  -- how the purchase order was found; OUT: it is none of the company's purchases
  matched text NOT NULL DEFAULT 'NONE' CHECK (matched IN ('NONE', 'AUTO', 'HAND', 'OUT')),
  subject_type text NOT NULL DEFAULT '',
  subject_id text NOT NULL DEFAULT '',
  subject_number text NOT NULL DEFAULT '',
  supplier_id uuid,
  -- what the purchase order says for it, as it was when it was matched
  order_amount numeric(18, 4),
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 200),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, bill_id, order_id),
  UNIQUE (company_id, bill_id, line_no),
  CHECK ((matched IN ('AUTO', 'HAND')) = (subject_id <> '' AND supplier_id IS NOT NULL AND order_amount IS NOT NULL)),
  FOREIGN KEY (company_id, bill_id) REFERENCES finance.platform_bill
);
CREATE INDEX platform_bill_order_order ON finance.platform_bill_order (company_id, order_id);
CREATE INDEX platform_bill_order_subject ON finance.platform_bill_order (company_id, subject_type, subject_id)
 WHERE subject_id <> '';
CALL kit.tenant_table('finance.platform_bill_order');

-- 还款记录
CREATE TABLE finance.platform_bill_repayment (
  company_id uuid NOT NULL,
  bill_id uuid NOT NULL,
  line_no int NOT NULL,
  repaid_at timestamptz NOT NULL,
  method text NOT NULL DEFAULT '',
  kind text NOT NULL DEFAULT '',
  amount numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, bill_id, line_no),
  FOREIGN KEY (company_id, bill_id) REFERENCES finance.platform_bill
);
CALL kit.tenant_table('finance.platform_bill_repayment');

-- 退款记录
CREATE TABLE finance.platform_bill_refund (
  company_id uuid NOT NULL,
  bill_id uuid NOT NULL,
  line_no int NOT NULL,
  order_id text NOT NULL CHECK (order_id ~ '^\d{10,30}$'),
  refunded_at timestamptz NOT NULL,
  name text NOT NULL DEFAULT '',
  paid numeric(18, 4),
  amount numeric(18, 4) NOT NULL,
  kind text NOT NULL DEFAULT '',
  destination text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, bill_id, line_no),
  FOREIGN KEY (company_id, bill_id) REFERENCES finance.platform_bill
);
CALL kit.tenant_table('finance.platform_bill_refund');

-- 充退记录: what was paid in too much and came back
CREATE TABLE finance.platform_bill_topup (
  company_id uuid NOT NULL,
  bill_id uuid NOT NULL,
  line_no int NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL DEFAULT '',
  reference text NOT NULL DEFAULT '',
  amount numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, bill_id, line_no),
  FOREIGN KEY (company_id, bill_id) REFERENCES finance.platform_bill
);
CALL kit.tenant_table('finance.platform_bill_topup');

-- 付款明细: the payment request that a line of a bill went into. A request that is void or reversed frees its lines.
CREATE TABLE finance.platform_bill_payment (
  company_id uuid NOT NULL,
  order_line_id uuid NOT NULL,
  request_id uuid NOT NULL,
  bill_id uuid NOT NULL,
  amount numeric(18, 4) NOT NULL,
  live boolean NOT NULL DEFAULT true,
  PRIMARY KEY (company_id, order_line_id, request_id),
  FOREIGN KEY (company_id, order_line_id) REFERENCES finance.platform_bill_order,
  FOREIGN KEY (company_id, request_id) REFERENCES finance.payment_request,
  FOREIGN KEY (company_id, bill_id) REFERENCES finance.platform_bill
);
-- A line is never paid twice.
CREATE UNIQUE INDEX platform_bill_payment_once ON finance.platform_bill_payment (company_id, order_line_id) WHERE live;
CREATE INDEX platform_bill_payment_request ON finance.platform_bill_payment (company_id, request_id);
CREATE INDEX platform_bill_payment_bill ON finance.platform_bill_payment (company_id, bill_id, request_id);
CALL kit.tenant_table('finance.platform_bill_payment');
