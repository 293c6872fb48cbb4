-- A SKU of an order of which something was refunded or came back: its money and its goods beside each other, added up from the
-- money lines that count, the rows of returns and the order. What depends on the day of reading is not here.
CREATE TABLE returns.refund_case (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  order_id text NOT NULL,
  seller_sku text NOT NULL,
  marketplace_id text NOT NULL,
  channel text CHECK (channel IN ('FBA', 'FBM')),
  -- pieces; NULL while the order itself was not read
  ordered int,
  returned int NOT NULL,
  -- goods and their delivery without taxes, positive
  paid numeric(18, 4),
  refund numeric(18, 4),
  currency text,
  -- day of the marketplace on which the last refund was posted
  refunded_on date,
  first_returned_on date,
  returned_on date,
  PRIMARY KEY (company_id, account_id, order_id, seller_sku),
  CHECK (refund IS NOT NULL OR returned_on IS NOT NULL)
);
CREATE INDEX refund_case_refunded ON returns.refund_case (company_id, refunded_on);
CREATE INDEX refund_case_returned ON returns.refund_case (company_id, returned_on);
CREATE INDEX refund_case_blind ON returns.refund_case (company_id, account_id, order_id) WHERE ordered IS NULL;
CALL kit.tenant_table('returns.refund_case');

-- Orders whose cases must be added up again: those of a document of money, those of which something came back on some days, or
-- one of them. Every mark is a row of its own, so that whoever marks waits for nobody.
CREATE TABLE returns.refund_dirty (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  source_doc_id uuid,
  from_day date,
  to_day date,
  order_id text,
  CHECK (num_nonnulls(source_doc_id, from_day, order_id) = 1 AND (from_day IS NULL) = (to_day IS NULL)),
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('returns.refund_dirty');
-- What was told before these tables were there.
INSERT INTO returns.refund_dirty (company_id, account_id, source_doc_id)
SELECT company_id, account_id, id FROM settlement.source_doc WHERE state = 'ACTIVE';
INSERT INTO returns.refund_dirty (company_id, account_id, from_day, to_day)
SELECT DISTINCT company_id, account_id, day, day FROM inventory.customer_return
UNION
SELECT DISTINCT company_id, account_id, day, day FROM inventory.merchant_return;
