CALL kit.module_schema('accounting');

-- Whoever writes the books: the guards of the ledger run as this role. It owns no table, so row-level security binds it to
-- the company of the transaction like everybody else.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'erp_books') THEN
    CREATE ROLE erp_books NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- two databases of one cluster being created at the same time
END $$;
DO $$
BEGIN
  EXECUTE format('GRANT erp_books TO %I', current_user);
EXCEPTION WHEN unique_violation OR SQLSTATE 'XX000' THEN
  NULL; -- the same grant from a neighbouring database at the same moment
END $$;
GRANT USAGE ON SCHEMA kit, accounting TO erp_books;

-- The books of a legal entity (账套): one for each company, in CNY.
CREATE TABLE accounting.book (
  company_id uuid NOT NULL PRIMARY KEY,
  standard text NOT NULL CHECK (standard IN ('SMALL')),
  base text NOT NULL DEFAULT 'CNY' CHECK (base = 'CNY'),
  start_month date NOT NULL CHECK (start_month = date_trunc('month', start_month)::date),
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now()
);
CALL kit.tenant_table('accounting.book');

-- What amounts are booked on (科目). Codes of 4 digits, then 2 for each level.
CREATE TABLE accounting.subject (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  code text NOT NULL CHECK (code ~ '^\d{4}(\d\d){0,2}$'),
  parent_id uuid,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  kind text NOT NULL CHECK (kind IN ('ASSET', 'LIABILITY', 'EQUITY', 'COST', 'PROFIT')),
  -- the side on which it grows
  direction text NOT NULL CHECK (direction IN ('DEBIT', 'CREDIT')),
  -- false once it has children: only leaves take entries
  leaf boolean NOT NULL DEFAULT true,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'stopped')),
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, code),
  FOREIGN KEY (company_id, parent_id) REFERENCES accounting.subject
);
CREATE INDEX subject_parent ON accounting.subject (company_id, parent_id);
CALL kit.tenant_table('accounting.subject');

-- Months that take no more entries.
CREATE TABLE accounting.period (
  company_id uuid NOT NULL,
  month date NOT NULL CHECK (month = date_trunc('month', month)::date),
  state text NOT NULL CHECK (state IN ('OPEN', 'CLOSED')),
  reason text NOT NULL DEFAULT '',
  changed_at timestamptz NOT NULL DEFAULT kit.now(),
  changed_by_name text NOT NULL,
  PRIMARY KEY (company_id, month)
);
CALL kit.tenant_table('accounting.period');

CREATE TABLE accounting.voucher (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  type text NOT NULL CHECK (type IN ('GENERAL', 'RECEIPT', 'PAYMENT', 'TRANSFER', 'OPENING')),
  month date NOT NULL,
  -- without gaps within type and month: numbers are taken under the lock of their sequence, and kept by void vouchers
  seq int NOT NULL CHECK (seq > 0),
  number text NOT NULL,
  -- company day within the month
  day date NOT NULL CHECK (date_trunc('month', day)::date = month),
  summary text NOT NULL,
  attachments int NOT NULL DEFAULT 0 CHECK (attachments >= 0),
  state text NOT NULL CHECK (state IN ('draft', 'submitted', 'approved', 'posted', 'reversed', 'void')),
  -- sum of the debits in CNY
  amount numeric(18, 2) NOT NULL,
  -- what business event it was made from, by which version of which rule; '' where a person wrote it
  source text NOT NULL DEFAULT '',
  source_ref text NOT NULL DEFAULT '',
  template_version int NOT NULL DEFAULT 0,
  -- one voucher for each event; NULL where a person wrote it
  idempotency_key text,
  reversal_of uuid,
  created_by uuid,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  approved_by_name text NOT NULL DEFAULT '',
  posted_by_name text NOT NULL DEFAULT '',
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, type, month, seq),
  UNIQUE (company_id, idempotency_key),
  UNIQUE (company_id, reversal_of),
  FOREIGN KEY (company_id, reversal_of) REFERENCES accounting.voucher
);
CREATE INDEX voucher_day ON accounting.voucher (company_id, day DESC, id DESC);
CREATE INDEX voucher_state ON accounting.voucher (company_id, state, day DESC, id DESC);
CREATE INDEX voucher_number ON accounting.voucher (company_id, number);
CALL kit.tenant_table('accounting.voucher');

-- Lines of vouchers (分录): a debit or a credit in CNY, negative in red entries.
CREATE TABLE accounting.entry (
  company_id uuid NOT NULL,
  voucher_id uuid NOT NULL,
  line_no int NOT NULL,
  subject_id uuid NOT NULL,
  summary text NOT NULL CHECK (length(summary) BETWEEN 1 AND 200),
  debit numeric(18, 2) NOT NULL DEFAULT 0,
  credit numeric(18, 2) NOT NULL DEFAULT 0,
  -- original amount, where it was in another currency
  currency text NOT NULL DEFAULT 'CNY' CHECK (currency ~ '^[A-Z]{3}$'),
  original numeric(18, 4),
  rate numeric(18, 8) CHECK (rate > 0),
  qty numeric(18, 4),
  -- day of its voucher once that is posted; the ledger reads no other entries
  ledger_day date,
  PRIMARY KEY (company_id, voucher_id, line_no),
  CHECK ((debit = 0) <> (credit = 0)),
  CHECK ((currency = 'CNY') = (original IS NULL)),
  FOREIGN KEY (company_id, voucher_id) REFERENCES accounting.voucher,
  FOREIGN KEY (company_id, subject_id) REFERENCES accounting.subject
);
CREATE INDEX entry_subject ON accounting.entry (company_id, subject_id, ledger_day, voucher_id, line_no);
CALL kit.tenant_table('accounting.entry');

-- Turnover of the leaves by month: the sum of the posted entries, kept in the transaction that posts.
CREATE TABLE accounting.balance (
  company_id uuid NOT NULL,
  month date NOT NULL,
  subject_id uuid NOT NULL,
  debit numeric(18, 2) NOT NULL,
  credit numeric(18, 2) NOT NULL,
  PRIMARY KEY (company_id, month, subject_id),
  FOREIGN KEY (company_id, subject_id) REFERENCES accounting.subject
);
CALL kit.tenant_table('accounting.balance');

-- The application writes vouchers until they are posted; balances and the posted state of entries are the ledger's own.
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON accounting.balance FROM erp_app;
REVOKE UPDATE ON accounting.entry FROM erp_app;
REVOKE DELETE ON accounting.voucher, accounting.subject FROM erp_app;
GRANT SELECT ON accounting.book, accounting.subject, accounting.period, accounting.voucher, accounting.entry, accounting.balance TO erp_books;
GRANT INSERT, UPDATE, DELETE ON accounting.balance TO erp_books;
GRANT UPDATE ON accounting.subject, accounting.voucher, accounting.entry TO erp_books;
