-- Sums of report.traffic, made anew by month from its days and never counted up. Months whose days changed since are named by
-- traffic_dirty; whoever reads sums reads the days of these instead, so that what is read is always what the days say.
CREATE TABLE report.traffic_dirty (
  company_id uuid NOT NULL,
  -- a change that is not committed yet has marks of its own, so none waits for another
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- its first day
  month date NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX traffic_dirty_month ON report.traffic_dirty (company_id, account_id, marketplace_id, month);
CALL kit.tenant_table('report.traffic_dirty');

-- A product's days of a month, packed: `days` are the days of the month that have a row, ascending, and the other arrays say
-- what the month has come to by the end of each of them. What happened from one day to another is the difference of two.
CREATE TABLE report.traffic_run (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  month date NOT NULL,
  level text NOT NULL,
  seller_sku text NOT NULL,
  asin text NOT NULL,
  parent_asin text NOT NULL,
  currency text NOT NULL,
  days smallint[] NOT NULL,
  sessions int[] NOT NULL,
  page_views int[] NOT NULL,
  units int[] NOT NULL,
  items int[] NOT NULL,
  sales numeric[] NOT NULL,
  -- page views with our offer first, and page views of which a share is told
  featured_views numeric[] NOT NULL,
  shared_views int[] NOT NULL,
  PRIMARY KEY (company_id, month, level, account_id, marketplace_id, seller_sku, asin, parent_asin, currency),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('report.traffic_run');
CALL kit.data_scope('report.traffic_run', 'account', 'account_id');

-- The whole month of a product: a narrow row, because a year of them is read at once.
CREATE TABLE report.traffic_month (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  month date NOT NULL,
  level text NOT NULL,
  seller_sku text NOT NULL,
  asin text NOT NULL,
  parent_asin text NOT NULL,
  currency text NOT NULL,
  sessions int NOT NULL,
  page_views int NOT NULL,
  units int NOT NULL,
  items int NOT NULL,
  sales numeric NOT NULL,
  featured_views numeric NOT NULL,
  shared_views int NOT NULL,
  PRIMARY KEY (company_id, month, level, account_id, marketplace_id, seller_sku, asin, parent_asin, currency),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('report.traffic_month');
CALL kit.data_scope('report.traffic_month', 'account', 'account_id');

-- All products of a site on a day.
CREATE TABLE report.traffic_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  day date NOT NULL,
  level text NOT NULL,
  currency text NOT NULL,
  sessions bigint NOT NULL,
  page_views bigint NOT NULL,
  units bigint NOT NULL,
  items bigint NOT NULL,
  sales numeric NOT NULL,
  featured_views numeric NOT NULL,
  shared_views bigint NOT NULL,
  PRIMARY KEY (company_id, day, level, account_id, marketplace_id, currency),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('report.traffic_day');
CALL kit.data_scope('report.traffic_day', 'account', 'account_id');

-- Days that the report told of a site, one row each.
CREATE INDEX traffic_told ON report.traffic (company_id, day, account_id, marketplace_id) WHERE level = 'site';
-- Days of a site's month.
CREATE INDEX traffic_month_days ON report.traffic (company_id, account_id, marketplace_id, day);

INSERT INTO report.traffic_dirty (company_id, account_id, marketplace_id, month)
SELECT DISTINCT company_id, account_id, marketplace_id, date_trunc('month', day)::date FROM report.traffic;
