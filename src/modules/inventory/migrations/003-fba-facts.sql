-- What Amazon's FBA reports say, one table per report. `stock` names the stock that marketplaces share ("US", "EU", see
-- stockOf); `marketplace_id` is the one that the row names, else the first of that stock. `day` is the business day.
-- `row_id` is a hash of the row's natural key and of its number among rows with the same key.

-- Every movement into and out of Amazon's warehouses; quantities are signed.
CREATE TABLE inventory.ledger_event (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  happened_at timestamptz,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  event text NOT NULL,
  reference text NOT NULL,
  quantity int NOT NULL,
  centre text NOT NULL,
  disposition text NOT NULL,
  reason text NOT NULL,
  country text NOT NULL,
  reconciled int,
  unreconciled int,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX ledger_event_list ON inventory.ledger_event (company_id, day DESC, row_id DESC);
CREATE INDEX ledger_event_sku ON inventory.ledger_event (company_id, seller_sku, day DESC);
CALL kit.tenant_table('inventory.ledger_event');
CALL kit.data_scope('inventory.ledger_event', 'account', 'account_id');

-- Balances of a product and disposition by day, and what moved between them, signed as reported.
CREATE TABLE inventory.ledger_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  disposition text NOT NULL,
  location text NOT NULL,
  starting int NOT NULL,
  in_transit int NOT NULL,
  receipts int NOT NULL,
  shipments int NOT NULL,
  customer_returns int NOT NULL,
  vendor_returns int NOT NULL,
  transfers int NOT NULL,
  found int NOT NULL,
  lost int NOT NULL,
  damaged int NOT NULL,
  disposed int NOT NULL,
  other int NOT NULL,
  unknown int NOT NULL,
  ending int NOT NULL,
  -- starting plus everything that moved; differs from `ending` where the report does not add up
  expected int NOT NULL GENERATED ALWAYS AS (starting + receipts + shipments + customer_returns + vendor_returns
    + transfers + found + lost + damaged + disposed + other + unknown) STORED,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX ledger_day_list ON inventory.ledger_day (company_id, day DESC, row_id DESC);
CREATE INDEX ledger_day_sku ON inventory.ledger_day (company_id, seller_sku, day DESC);
CALL kit.tenant_table('inventory.ledger_day');
CALL kit.data_scope('inventory.ledger_day', 'account', 'account_id');

CREATE TABLE inventory.customer_return (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  returned_at timestamptz NOT NULL,
  order_id text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  quantity int NOT NULL,
  centre text NOT NULL,
  disposition text NOT NULL,
  reason text NOT NULL,
  status text NOT NULL,
  plate text NOT NULL,
  comments text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX customer_return_list ON inventory.customer_return (company_id, day DESC, row_id DESC);
CREATE INDEX customer_return_order ON inventory.customer_return (company_id, order_id);
CALL kit.tenant_table('inventory.customer_return');
CALL kit.data_scope('inventory.customer_return', 'account', 'account_id');

CREATE TABLE inventory.reimbursement (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  approved_at timestamptz NOT NULL,
  reimbursement_id text NOT NULL,
  case_id text NOT NULL,
  order_id text NOT NULL,
  reason text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  title text NOT NULL,
  condition text NOT NULL,
  currency text NOT NULL,
  amount_per_unit numeric(20, 6),
  amount numeric(20, 6) NOT NULL,
  quantity_cash int NOT NULL,
  quantity_inventory int NOT NULL,
  quantity int NOT NULL,
  original_id text NOT NULL,
  original_type text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX reimbursement_list ON inventory.reimbursement (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('inventory.reimbursement');
CALL kit.data_scope('inventory.reimbursement', 'account', 'account_id');

-- Lines of removal orders; `day` is the day of the request.
CREATE TABLE inventory.removal_line (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  requested_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  order_id text NOT NULL,
  order_source text NOT NULL,
  order_type text NOT NULL,
  service_speed text NOT NULL,
  status text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  disposition text NOT NULL,
  requested int NOT NULL,
  cancelled int NOT NULL,
  disposed int NOT NULL,
  shipped int NOT NULL,
  in_process int NOT NULL,
  fee numeric(20, 6),
  currency text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX removal_line_list ON inventory.removal_line (company_id, day DESC, row_id DESC);
CREATE INDEX removal_line_order ON inventory.removal_line (company_id, order_id);
CALL kit.tenant_table('inventory.removal_line');
CALL kit.data_scope('inventory.removal_line', 'account', 'account_id');

-- Parcels of removal orders; `day` is the day of dispatch.
CREATE TABLE inventory.removal_parcel (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  requested_at timestamptz,
  shipped_at timestamptz NOT NULL,
  order_id text NOT NULL,
  order_type text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  disposition text NOT NULL,
  quantity int NOT NULL,
  carrier text NOT NULL,
  tracking text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX removal_parcel_order ON inventory.removal_parcel (company_id, order_id);
CALL kit.tenant_table('inventory.removal_parcel');
CALL kit.data_scope('inventory.removal_parcel', 'account', 'account_id');

-- Why pieces are reserved, by day of the report; the newest day is the present.
CREATE TABLE inventory.reserved_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text NOT NULL,
  reserved int NOT NULL,
  customer_orders int NOT NULL,
  transfers int NOT NULL,
  processing int NOT NULL,
  staging int NOT NULL,
  program text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('inventory.reserved_day');
CALL kit.data_scope('inventory.reserved_day', 'account', 'account_id');

-- Days of a report type that the marketplace has delivered, and when the newest report about a day was asked for: an
-- older one changes the day no more, and neither does an upload.
CREATE TABLE inventory.fact_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  report_type text NOT NULL,
  stock text NOT NULL,
  day date NOT NULL,
  asked_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, report_type, stock, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('inventory.fact_day');
CALL kit.data_scope('inventory.fact_day', 'account', 'account_id');

-- Rows of reports that could not be taken over, with the reason in Chinese.
CREATE TABLE inventory.fact_quarantine (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  report_type text NOT NULL,
  document_id uuid NOT NULL,
  line_no int NOT NULL,
  reason text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, report_type, document_id, line_no),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('inventory.fact_quarantine');
CALL kit.data_scope('inventory.fact_quarantine', 'account', 'account_id');
