-- 索赔: pieces that Amazon lost, broke or never got back and has not made good, one row per happening: the rows of a report
-- that tell of it together. What is open of it is reckoned from the reports; what became of the claim is people's word.
CREATE TABLE inventory.claim (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('candidate', 'open', 'ready', 'filed', 'approved', 'partial', 'denied', 'paid',
                                       'reversed', 'expired', 'dismissed', 'resolved')),
  version int NOT NULL DEFAULT 0,
  type text NOT NULL CHECK (type IN ('FC_LOST', 'FC_DAMAGED', 'CUSTOMER_REFUND_NO_RETURN', 'REMOVAL_LOST', 'REVERSED')),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- names the happening among those of its type: pieces of the natural key of its rows
  happening text NOT NULL,
  -- what the reports call it: the ledger's reference, an order, a removal order, a reimbursement
  reference text NOT NULL,
  event_day date NOT NULL,
  fnsku text NOT NULL,
  seller_sku text NOT NULL,
  asin text NOT NULL,
  -- pieces of the happening, and of those the ones found or returned, paid for, and still open
  lost int NOT NULL CHECK (lost > 0),
  found int NOT NULL CHECK (found >= 0),
  paid int NOT NULL CHECK (paid >= 0),
  qty int NOT NULL CHECK (qty >= 0),
  -- per piece; NULL where it is not known
  unit_value numeric(20, 6),
  currency text NOT NULL,
  opens_on date NOT NULL,
  deadline date NOT NULL,
  case_no text NOT NULL DEFAULT '' CHECK (length(case_no) <= 30),
  filed_on date,
  -- handed in a second time after an answer that was not accepted
  appealed boolean NOT NULL DEFAULT false,
  -- pieces that Amazon said it will make good
  granted int CHECK (granted >= 0),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  CHECK (found + paid + qty = lost),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  UNIQUE (company_id, account_id, type, happening),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX claim_list ON inventory.claim (company_id, event_day DESC, id DESC);
CREATE INDEX claim_state ON inventory.claim (company_id, state, deadline);
CREATE INDEX claim_case ON inventory.claim (company_id, account_id, case_no) WHERE case_no <> '';
CALL kit.tenant_table('inventory.claim');

-- From when to when after a happening Amazon takes claims. Rows are added, never changed: the newest that was valid on the
-- day of the happening counts, one of its country before one of all.
CREATE TABLE inventory.claim_policy (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  type text NOT NULL CHECK (type IN ('FC_LOST', 'FC_DAMAGED', 'CUSTOMER_REFUND_NO_RETURN', 'REMOVAL_LOST', 'REVERSED')),
  -- empty: every marketplace
  marketplace_id text NOT NULL,
  opens_after int NOT NULL CHECK (opens_after BETWEEN 0 AND 730),
  closes_after int NOT NULL CHECK (closes_after BETWEEN 1 AND 730),
  valid_from date NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL,
  CHECK (opens_after < closes_after),
  PRIMARY KEY (company_id, id)
);
CREATE INDEX claim_policy_type ON inventory.claim_policy (company_id, type, valid_from);
CALL kit.tenant_table('inventory.claim_policy');

-- What codes of reasons mean for claims, where the company says otherwise than usual.
CREATE TABLE inventory.claim_reason (
  company_id uuid NOT NULL,
  -- LEDGER: of adjustments; PAID: of reimbursements
  source text NOT NULL CHECK (source IN ('LEDGER', 'PAID')),
  code text NOT NULL CHECK (length(code) BETWEEN 1 AND 60),
  effect text NOT NULL CHECK (effect IN ('LOST', 'DAMAGED', 'FOUND', 'WAREHOUSE', 'REFUND', 'REMOVAL', 'NEUTRAL')),
  PRIMARY KEY (company_id, source, code)
);
CALL kit.tenant_table('inventory.claim_reason');
CREATE INDEX ledger_event_adjusted ON inventory.ledger_event (company_id, account_id, day) WHERE event = 'Adjustments';
