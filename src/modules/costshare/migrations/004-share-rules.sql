-- 分摊规则: who bears which part of a cost, whatever it comes to. The parts of a rule are 1 together.
CREATE TABLE costshare.share_rule (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 40 AND name = btrim(name)),
  version int NOT NULL DEFAULT 0,
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CALL kit.tenant_table('costshare.share_rule');

CREATE TABLE costshare.share_rule_row (
  company_id uuid NOT NULL,
  rule_id uuid NOT NULL,
  row_no int NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- '' is the whole store
  sku text NOT NULL,
  share numeric(9, 6) NOT NULL CHECK (share > 0 AND share <= 1),
  PRIMARY KEY (company_id, rule_id, row_no),
  UNIQUE (company_id, rule_id, account_id, marketplace_id, sku),
  FOREIGN KEY (company_id, rule_id) REFERENCES costshare.share_rule,
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('costshare.share_rule_row');
