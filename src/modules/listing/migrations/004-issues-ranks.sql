-- What the marketplace finds wrong with listings: one row from the day it was seen first to the day it is gone. A fault that comes
-- back is a row of its own. listing.listing keeps the newest of them as they were told.
CREATE TABLE listing.issue (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  -- code and attributes: the message is in whatever language was asked for
  fault text NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('ERROR', 'WARNING', 'INFO')),
  categories text[] NOT NULL DEFAULT '{}',
  attributes text[] NOT NULL DEFAULT '{}',
  -- what the marketplace does because of it
  actions text[] NOT NULL DEFAULT '{}',
  -- until when it holds that back; NULL where it does not
  exempt_until timestamptz,
  -- marketplace time
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  resolved_at timestamptz,
  -- until when people do not want to hear of it, by the company's day
  ignored_until date,
  ignored_reason text NOT NULL DEFAULT '' CHECK (length(ignored_reason) <= 200),
  ignored_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  -- no key to the listing: one that came by an upload which is undone goes
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE UNIQUE INDEX issue_open ON listing.issue (company_id, account_id, marketplace_id, seller_sku, fault)
  WHERE resolved_at IS NULL;
CREATE INDEX issue_listing ON listing.issue (company_id, account_id, marketplace_id, seller_sku, first_seen_at DESC);
CREATE INDEX issue_resolved ON listing.issue (company_id, resolved_at DESC) WHERE resolved_at IS NOT NULL;
CALL kit.tenant_table('listing.issue');

INSERT INTO listing.issue (company_id, account_id, marketplace_id, seller_sku, fault, code, message, severity, first_seen_at, last_seen_at)
SELECT DISTINCT ON (l.company_id, l.account_id, l.marketplace_id, l.seller_sku, i.code)
       l.company_id, l.account_id, l.marketplace_id, l.seller_sku, i.code || ' ', i.code, i.message, i.severity, l.as_of, l.as_of
  FROM listing.listing AS l CROSS JOIN LATERAL jsonb_to_recordset(l.issues) AS i (code text, message text, severity text)
 WHERE l.gone_at IS NULL;

-- Best sellers ranks of a product by day of the site: the newest reading of the day.
CREATE TABLE listing.rank_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  asin text NOT NULL,
  day date NOT NULL,
  -- the wide group ("Home & Kitchen") and the narrowest class that Amazon names; NULL where it names none
  group_title text,
  group_rank int CHECK (group_rank > 0),
  class_title text,
  class_rank int CHECK (class_rank > 0),
  as_of timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, asin, day),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('listing.rank_day');
