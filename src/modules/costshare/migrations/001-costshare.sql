CALL kit.module_schema('costshare');

-- What a cost was for, where a company adds to the usual types or stops one.
CREATE TABLE costshare.fee_type (
  company_id uuid NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  active boolean NOT NULL DEFAULT true,
  PRIMARY KEY (company_id, name)
);
CALL kit.tenant_table('costshare.fee_type');

-- A cost of one's own, shared over stores and SKUs and evenly over the days of a period.
CREATE TABLE costshare.document (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'posted', 'reversed')),
  version int NOT NULL DEFAULT 0,
  fee_type text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  date_from date NOT NULL,
  date_to date NOT NULL,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  -- CNY for one unit on the first day, and what the amount came to; of the last posting
  rate numeric(20, 10),
  amount_cny numeric(18, 4),
  -- how often it was posted: names the lines of each posting
  posting int NOT NULL DEFAULT 0,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  posted_by_name text NOT NULL DEFAULT '',
  posted_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CHECK (date_from <= date_to)
);
CREATE INDEX document_newest ON costshare.document (company_id, id DESC);
CREATE INDEX document_days ON costshare.document (company_id, date_from);
CALL kit.tenant_table('costshare.document');

-- Who bears it: a SKU in a store, or the whole store (sku ''). The amount is in the currency of the document.
CREATE TABLE costshare.document_row (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  row_no int NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  sku text NOT NULL,
  amount numeric(18, 4) NOT NULL CHECK (amount > 0),
  PRIMARY KEY (company_id, document_id, row_no),
  UNIQUE (company_id, document_id, account_id, marketplace_id, sku),
  FOREIGN KEY (company_id, document_id) REFERENCES costshare.document,
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('costshare.document_row');

-- The ledger: what each posting put on each day, and its mirror once it was taken back. Nothing here is ever changed.
CREATE TABLE costshare.cost_line (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  posting int NOT NULL,
  mirror boolean NOT NULL,
  row_no int NOT NULL,
  date date NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  sku text NOT NULL,
  -- positive is a cost; the first in the currency of the document
  amount numeric(18, 4) NOT NULL,
  amount_cny numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, document_id, posting, mirror, row_no, date),
  FOREIGN KEY (company_id, document_id) REFERENCES costshare.document,
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX cost_line_sku_day ON costshare.cost_line (company_id, account_id, marketplace_id, date, sku);
CALL kit.tenant_table('costshare.cost_line', append_only => true);
