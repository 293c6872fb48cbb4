CALL kit.module_schema('supplier');

-- Whom the company buys from. Links use ids, so code and names may change.
CREATE TABLE supplier.supplier (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  code text NOT NULL CHECK (length(code) BETWEEN 1 AND 30 AND code = btrim(code)),
  short_name text NOT NULL CHECK (length(short_name) BETWEEN 1 AND 50 AND short_name = btrim(short_name)),
  full_name text NOT NULL DEFAULT '',
  tax_id text,
  grade text NOT NULL DEFAULT 'B' CHECK (grade IN ('A', 'B', 'C', 'D')),
  -- service points of the scorecard, 0 to 100, given by hand
  service_score numeric(5, 2) CHECK (service_score BETWEEN 0 AND 100),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'active', 'suspended', 'blacklisted')),
  currency text NOT NULL DEFAULT 'CNY' CHECK (currency ~ '^[A-Z]{3}$'),
  -- stages of payment in order: share, what it counts from, days after it
  terms jsonb NOT NULL DEFAULT '[]',
  invoice_type text NOT NULL DEFAULT 'none' CHECK (invoice_type IN ('none', 'normal', 'special')),
  invoice_rate numeric(6, 4) NOT NULL DEFAULT 0 CHECK (invoice_rate >= 0 AND invoice_rate < 1),
  alibaba_member text,
  website text,
  address text,
  remark text,
  -- bank details sealed with a key that is not in the database; the last digits for lists
  bank_sealed text,
  bank_tail text,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX supplier_code ON supplier.supplier (company_id, lower(code));
CREATE UNIQUE INDEX supplier_short_name ON supplier.supplier (company_id, lower(short_name));
CREATE INDEX supplier_state ON supplier.supplier (company_id, state, id);
CALL kit.tenant_table('supplier.supplier');

CREATE TABLE supplier.contact (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  supplier_id uuid NOT NULL,
  line_no int NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  role text NOT NULL DEFAULT '',
  phone text NOT NULL DEFAULT '',
  email text NOT NULL DEFAULT '',
  wechat text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, supplier_id, line_no),
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier ON DELETE CASCADE
);
CALL kit.tenant_table('supplier.contact');

-- A change of bank details that waits for a second person and for a day of quiet.
CREATE TABLE supplier.bank_change (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  supplier_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'rejected', 'applied')),
  bank_sealed text NOT NULL,
  bank_tail text NOT NULL,
  asked_by uuid,
  asked_by_name text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT kit.now(),
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz,
  -- from when on the approved details count
  effective_at timestamptz,
  reason text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier ON DELETE CASCADE
);
CREATE UNIQUE INDEX bank_change_open ON supplier.bank_change (company_id, supplier_id) WHERE state IN ('pending', 'approved');
CALL kit.tenant_table('supplier.bank_change');
