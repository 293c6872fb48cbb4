CALL kit.module_schema('report');

-- What Amazon's reports say, one table per report, in the shape of the stock reports: `row_id` is a hash of the row's
-- natural key, `stock` names what one file is all there is to say about (a marketplace, or ALL).

-- Visits and sales of a business day: of a whole marketplace (level 'site') or of one product.
CREATE TABLE report.traffic (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL DEFAULT '',
  asin text NOT NULL,
  level text NOT NULL CHECK (level IN ('site', 'sku', 'child', 'parent')),
  parent_asin text NOT NULL,
  currency text NOT NULL,
  sales numeric(20, 6) NOT NULL,
  sales_b2b numeric(20, 6) NOT NULL,
  units int NOT NULL,
  units_b2b int NOT NULL,
  items int NOT NULL,
  items_b2b int NOT NULL,
  refunded int NOT NULL,
  shipped int NOT NULL,
  sessions int NOT NULL,
  browser_sessions int NOT NULL,
  page_views int NOT NULL,
  browser_page_views int NOT NULL,
  -- share of the page views that showed our offer first, percent
  featured numeric(20, 6),
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX traffic_list ON report.traffic (company_id, day DESC, row_id DESC);
CREATE INDEX traffic_sku ON report.traffic (company_id, seller_sku, day DESC);
CALL kit.tenant_table('report.traffic');
CALL kit.data_scope('report.traffic', 'account', 'account_id');
CALL marketplace.undoable('report.traffic');

-- What buyers say about the seller, one row per order.
CREATE TABLE report.feedback (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL DEFAULT '',
  fnsku text NOT NULL DEFAULT '',
  asin text NOT NULL DEFAULT '',
  order_id text NOT NULL,
  rating int NOT NULL,
  comments text NOT NULL,
  response text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX feedback_list ON report.feedback (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('report.feedback');
CALL kit.data_scope('report.feedback', 'account', 'account_id');
CALL marketplace.undoable('report.feedback');

-- Taxable movements of a month in the United Kingdom and the European Union.
CREATE TABLE report.vat_line (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL DEFAULT '',
  asin text NOT NULL,
  title text NOT NULL,
  period text NOT NULL,
  channel text NOT NULL,
  program text NOT NULL,
  kind text NOT NULL,
  order_id text NOT NULL,
  activity_id text NOT NULL,
  tax_day date,
  depart_day date,
  quantity int NOT NULL,
  net numeric(20, 6),
  vat numeric(20, 6),
  gross numeric(20, 6),
  rate numeric(20, 6),
  currency text NOT NULL,
  from_country text NOT NULL,
  to_country text NOT NULL,
  invoice text NOT NULL,
  jurisdiction text NOT NULL,
  responsibility text NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX vat_line_list ON report.vat_line (company_id, day DESC, row_id DESC);
CREATE INDEX vat_line_order ON report.vat_line (company_id, order_id);
CALL kit.tenant_table('report.vat_line');
CALL kit.data_scope('report.vat_line', 'account', 'account_id');
CALL marketplace.undoable('report.vat_line');

-- What is searched for in a week, and the products that are clicked on then; `day` is its Sunday.
CREATE TABLE report.search_term (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  day date NOT NULL,
  row_id uuid NOT NULL,
  stock text NOT NULL,
  marketplace_id text NOT NULL,
  document_id uuid NOT NULL,
  seller_sku text NOT NULL DEFAULT '',
  fnsku text NOT NULL DEFAULT '',
  asin text NOT NULL,
  department text NOT NULL,
  term text NOT NULL,
  rank int NOT NULL,
  title text NOT NULL,
  click_rank int NOT NULL,
  -- exact ratios: 0.0771 is 7.71 %
  click_share numeric(20, 6) NOT NULL,
  conversion_share numeric(20, 6) NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX search_term_list ON report.search_term (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('report.search_term');
CALL kit.data_scope('report.search_term', 'account', 'account_id');
CALL marketplace.undoable('report.search_term');
