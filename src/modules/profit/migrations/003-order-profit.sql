-- What an order has brought so far: its money lines that count, in each store and currency. Columns as those of
-- profit.profit_daily; a cost is that of the day on which the sale was posted, so that both say the same of a sale.
CREATE TABLE profit.order_profit (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  order_id text NOT NULL,
  currency text NOT NULL,
  -- days of the marketplace on which the first and the last of its money was posted
  first_date date NOT NULL,
  last_date date NOT NULL,
  principal numeric(18, 4) NOT NULL,
  shipping numeric(18, 4) NOT NULL,
  promotion numeric(18, 4) NOT NULL,
  ship_back numeric(18, 4) NOT NULL,
  refund numeric(18, 4) NOT NULL,
  refund_fee numeric(18, 4) NOT NULL,
  commission numeric(18, 4) NOT NULL,
  dsf numeric(18, 4) NOT NULL,
  fulfil numeric(18, 4) NOT NULL,
  fba_other numeric(18, 4) NOT NULL,
  storage numeric(18, 4) NOT NULL,
  marketing numeric(18, 4) NOT NULL,
  other_fee numeric(18, 4) NOT NULL,
  ads numeric(18, 4) NOT NULL,
  reimbursement numeric(18, 4) NOT NULL,
  tax numeric(18, 4) NOT NULL,
  unmapped numeric(18, 4) NOT NULL,
  units int NOT NULL,
  refund_units int NOT NULL,
  cost_units int NOT NULL,
  cost_cny numeric(18, 4) NOT NULL,
  settled_size numeric(18, 4) NOT NULL,
  open_size numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, account_id, order_id, marketplace_id, currency)
);
CREATE INDEX order_profit_list ON profit.order_profit (company_id, first_date DESC, order_id DESC);
CREATE INDEX order_profit_number ON profit.order_profit (company_id, order_id);
CALL kit.tenant_table('profit.order_profit');

-- Orders that must be counted again: those of a document, or those that sold a SKU on a day. Every mark is a row of its
-- own, so that whoever marks waits for nobody.
CREATE TABLE profit.order_dirty (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  source_doc_id uuid,
  marketplace_id text,
  date date,
  sku text,
  CHECK ((source_doc_id IS NULL) = (sku IS NOT NULL AND date IS NOT NULL AND marketplace_id IS NOT NULL)),
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('profit.order_dirty');
-- What was told before this table was there.
INSERT INTO profit.order_dirty (company_id, account_id, source_doc_id)
SELECT company_id, account_id, id FROM settlement.source_doc WHERE state = 'ACTIVE';
