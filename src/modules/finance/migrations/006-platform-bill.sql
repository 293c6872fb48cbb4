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
CREATE UNIQUE INDEX platform_bill_day ON finance.platform_bill (company_id, buyer_account, statement_date) WHERE state <> 'cancelled';
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
CREATE INDEX platform_bill_order_subject ON finance.platform_bill_order (company_id, subject_type, subject_id) WHERE subject_id <> '';
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

-- What requests have named of a debt is asked whenever one is made.
CREATE INDEX payment_request_line_payable ON finance.payment_request_line (company_id, payable_id) WHERE payable_id IS NOT NULL;
