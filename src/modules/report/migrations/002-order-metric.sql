-- What Amazon's Sales API counts of each day of a site, in the site's zone: the second opinion on our own sums.
CREATE TABLE report.order_metric (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- calendar day in the marketplace's zone
  day date NOT NULL,
  orders int NOT NULL,
  items int NOT NULL,
  units int NOT NULL,
  -- ordered product sales before tax and shipping, in the currency of the site
  sales numeric(18,4) NOT NULL,
  currency text NOT NULL,
  -- orders until then are counted: the day's end, or an instant within the day that was not over
  read_to timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX order_metric_list ON report.order_metric (company_id, day DESC, account_id, marketplace_id);
CALL kit.tenant_table('report.order_metric');
CALL kit.data_scope('report.order_metric', 'account', 'account_id');

-- The line of a site's day in the report of sales and traffic, for whoever wants that line alone.
CREATE INDEX traffic_site ON report.traffic (company_id, account_id, marketplace_id, day) WHERE level = 'site';
