-- What came of a search query for one product of a brand in a week; `day` is its Sunday. A file is about the products that it
-- was asked for only, so each row says when it was told (`told_at`; of an upload the beginning of time).
CREATE TABLE report.search_query (
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
  query text NOT NULL,
  -- rank of the query among those of the product
  score int NOT NULL,
  volume int NOT NULL,
  shown_total int NOT NULL,
  shown_own int NOT NULL,
  -- exact ratios: 0.0771 is 7.71 %
  shown_share numeric(20, 6),
  clicks_total int NOT NULL,
  clicks_own int NOT NULL,
  clicks_share numeric(20, 6),
  clicks_total_price numeric(20, 6),
  clicks_own_price numeric(20, 6),
  carts_total int NOT NULL,
  carts_own int NOT NULL,
  carts_share numeric(20, 6),
  carts_total_price numeric(20, 6),
  carts_own_price numeric(20, 6),
  bought_total int NOT NULL,
  bought_own int NOT NULL,
  bought_share numeric(20, 6),
  bought_total_price numeric(20, 6),
  bought_own_price numeric(20, 6),
  currency text NOT NULL,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX search_query_list ON report.search_query (company_id, day DESC, score, row_id DESC);
CREATE INDEX search_query_asin ON report.search_query (company_id, asin, day DESC);
CALL kit.tenant_table('report.search_query');
CALL kit.data_scope('report.search_query', 'account', 'account_id');
CALL marketplace.undoable('report.search_query');
