CALL kit.module_schema('vat');

-- Who issues invoices: a legal entity, with the patterns that its numbers follow.
CREATE TABLE vat.entity (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  -- lines as they stand on an envelope
  address text NOT NULL,
  -- country of the one-stop-shop registration; empty: none
  oss_country text NOT NULL DEFAULT '',
  invoice_pattern text NOT NULL,
  credit_pattern text NOT NULL,
  version int NOT NULL DEFAULT 1,
  updated_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CALL kit.tenant_table('vat.entity');

CREATE TABLE vat.registration (
  company_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  country text NOT NULL,
  -- with the letters of its country, without blanks
  number text NOT NULL,
  PRIMARY KEY (company_id, entity_id, country),
  FOREIGN KEY (company_id, entity_id) REFERENCES vat.entity
);
CALL kit.tenant_table('vat.registration');

-- Which entity sells in a marketplace of an account, and whether its invoices go out by themselves.
CREATE TABLE vat.site (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  entity_id uuid NOT NULL,
  auto boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, account_id, marketplace_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, entity_id) REFERENCES vat.entity
);
CALL kit.tenant_table('vat.site', open_to_system => true);

-- Rates that the company states beside the usual ones, each from a day on. Rows are added, never changed.
CREATE TABLE vat.rate (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  country text NOT NULL,
  -- percent
  rate numeric(6, 3) NOT NULL CHECK (rate >= 0 AND rate < 100),
  valid_from date NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id)
);
CREATE INDEX rate_country ON vat.rate (company_id, country, valid_from);
CALL kit.tenant_table('vat.rate');

-- Numbers of one sort of document in one year. Its row is held from the taking of a number until the document is stored.
CREATE TABLE vat.series (
  company_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  country text NOT NULL,
  type text NOT NULL CHECK (type IN ('INVOICE', 'CREDIT_NOTE')),
  year int NOT NULL,
  -- as it was when the first number was taken: a series keeps its shape
  pattern text NOT NULL,
  last int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, entity_id, country, type, year),
  FOREIGN KEY (company_id, entity_id) REFERENCES vat.entity
);
CALL kit.tenant_table('vat.series');

-- A shipment that wants an invoice, or a refund that wants a credit note, and the document that it got.
CREATE TABLE vat.invoice (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  type text NOT NULL CHECK (type IN ('INVOICE', 'CREDIT_NOTE')),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'generated', 'uploaded', 'accepted', 'rejected')),
  version int NOT NULL DEFAULT 1,
  order_id text NOT NULL,
  shipping_id text NOT NULL,
  -- of a refund as Amazon calls it, or "TYPED-…" for one that people typed; empty for an invoice
  transaction_id text NOT NULL DEFAULT '',
  -- the invoice that a credit note takes back
  original_id uuid,
  ordered_at timestamptz,
  -- of the shipment; of a credit note of the refund
  shipped_at timestamptz NOT NULL,
  -- the same as a day of the marketplace: the tax point
  tax_day date NOT NULL,
  currency text NOT NULL,
  from_country text NOT NULL DEFAULT '',
  to_country text NOT NULL DEFAULT '',
  business boolean NOT NULL DEFAULT false,
  -- rates and taxes are Amazon's
  by_amazon boolean NOT NULL DEFAULT false,
  seller_vat text NOT NULL DEFAULT '',
  -- what Amazon wants to stand on it, by language
  citations jsonb NOT NULL DEFAULT '{}',
  -- sealed JSON: name, address and VAT number of the buyer; NULL where they are gone
  buyer text,
  buyer_gone_at timestamptz,
  title text NOT NULL DEFAULT '',
  sku text NOT NULL DEFAULT '',
  entity_id uuid,
  series_country text,
  series_year int,
  series_no int,
  number text,
  issued_on date,
  language text,
  -- how it is taxed: DOMESTIC, OSS, ORIGIN, REVERSE, EXPORT
  treatment text,
  -- whose tax it is: the country of consumption
  tax_country text,
  -- sums of the lines; a credit note's are below zero
  net numeric(20, 6) NOT NULL DEFAULT 0,
  tax numeric(20, 6) NOT NULL DEFAULT 0,
  gross numeric(20, 6) NOT NULL DEFAULT 0,
  problem text NOT NULL DEFAULT '',
  file_id uuid,
  pdf_sha256 text,
  feed_id uuid,
  generated_at timestamptz,
  -- somebody wants it sent; it goes when those before it are gone
  wanted_at timestamptz,
  uploaded_at timestamptz,
  accepted_at timestamptz,
  -- when the report was asked for that told the last of it
  told_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, shipping_id, type, transaction_id),
  CONSTRAINT numbered CHECK ((number IS NULL) = (state = 'pending')),
  CONSTRAINT stored CHECK ((file_id IS NULL) = (number IS NULL)),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, entity_id) REFERENCES vat.entity,
  FOREIGN KEY (company_id, original_id) REFERENCES vat.invoice,
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CREATE UNIQUE INDEX invoice_number ON vat.invoice (company_id, entity_id, number) WHERE number IS NOT NULL;
CREATE UNIQUE INDEX invoice_series ON vat.invoice (company_id, entity_id, series_country, type, series_year, series_no)
  WHERE number IS NOT NULL;
CREATE INDEX invoice_list ON vat.invoice (company_id, shipped_at DESC, id DESC);
CREATE INDEX invoice_state ON vat.invoice (company_id, state, shipped_at DESC, id DESC);
CREATE INDEX invoice_order ON vat.invoice (company_id, order_id);
CREATE INDEX invoice_original ON vat.invoice (company_id, original_id) WHERE original_id IS NOT NULL;
CREATE INDEX invoice_feed ON vat.invoice (company_id, feed_id) WHERE feed_id IS NOT NULL;
CREATE INDEX invoice_wanted ON vat.invoice (company_id, account_id, wanted_at) WHERE wanted_at IS NOT NULL;
CREATE INDEX invoice_day ON vat.invoice (company_id, tax_day) WHERE number IS NOT NULL;
CREATE INDEX invoice_buyer ON vat.invoice (company_id, shipped_at) WHERE buyer IS NOT NULL;
CALL kit.tenant_table('vat.invoice', open_to_system => true);

CREATE TABLE vat.invoice_line (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  invoice_id uuid NOT NULL,
  line_no int NOT NULL,
  item_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('ITEM', 'SHIPPING', 'GIFT')),
  sku text NOT NULL DEFAULT '',
  asin text NOT NULL DEFAULT '',
  title text NOT NULL DEFAULT '',
  quantity int NOT NULL,
  -- what was paid, promotions taken off
  gross numeric(20, 6) NOT NULL,
  -- percent; NULL until it is known
  rate numeric(6, 3),
  net numeric(20, 6),
  tax numeric(20, 6),
  -- as Amazon reckoned them; NULL where it did not
  amazon_rate numeric(6, 3),
  amazon_tax numeric(20, 6),
  PRIMARY KEY (company_id, invoice_id, line_no),
  CONSTRAINT adds_up CHECK (net + tax = gross),
  FOREIGN KEY (company_id, invoice_id) REFERENCES vat.invoice,
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('vat.invoice_line');
-- A shipment and its lines come and go together.
CALL marketplace.undoable('vat.invoice', 'vat.invoice', '{id}');
CALL marketplace.undoable('vat.invoice_line', 'vat.invoice', '{invoice_id}');
