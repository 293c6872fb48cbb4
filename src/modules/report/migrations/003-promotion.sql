-- Coupons and what they brought until the report was made; `day` is the marketplace's day on which one begins.
CREATE TABLE report.coupon (
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
  coupon_id text NOT NULL,
  title text NOT NULL,
  message text NOT NULL,
  start_at timestamptz NOT NULL,
  end_at timestamptz NOT NULL,
  segment text NOT NULL,
  discount_type text NOT NULL,
  -- percent or money, as discount_type says
  discount numeric(20, 6),
  clips int NOT NULL,
  redemptions int NOT NULL,
  budget numeric(20, 6),
  total_discount numeric(20, 6) NOT NULL,
  spent numeric(20, 6) NOT NULL,
  sales numeric(20, 6),
  currency text NOT NULL,
  -- ["B0…"]
  asins jsonb NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX coupon_list ON report.coupon (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('report.coupon');
CALL kit.data_scope('report.coupon', 'account', 'account_id');
CALL marketplace.undoable('report.coupon');

-- Promotions (best deals, lightning deals) and what they sold until the report was made; `day` as of coupons.
CREATE TABLE report.promotion (
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
  promotion_id text NOT NULL,
  title text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  channel text NOT NULL,
  start_at timestamptz NOT NULL,
  end_at timestamptz NOT NULL,
  created_at timestamptz,
  views int,
  units int NOT NULL,
  sales numeric(20, 6) NOT NULL,
  -- told to vendors alone
  spent numeric(20, 6),
  currency text NOT NULL,
  -- [{ asin, title, views, units, sales, spent }], amounts as text
  products jsonb NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX promotion_list ON report.promotion (company_id, day DESC, row_id DESC);
CALL kit.tenant_table('report.promotion');
CALL kit.data_scope('report.promotion', 'account', 'account_id');
CALL marketplace.undoable('report.promotion');
