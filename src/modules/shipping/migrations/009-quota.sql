-- FBA仓容额度: how much room Amazon gives a store in one of its stocks for a type of goods in a month, as people read it there.
CREATE TABLE shipping.quota (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  -- the site that it was entered for, and the stock that this one sells out of: EU, else a country
  marketplace_id text NOT NULL,
  stock text NOT NULL CHECK (length(stock) BETWEEN 2 AND 30),
  storage_type text NOT NULL CHECK (storage_type IN ('STANDARD', 'OVERSIZE', 'EXTRA_LARGE', 'APPAREL', 'FOOTWEAR',
    'FLAMMABLE', 'AEROSOL')),
  -- its first day
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  unit text NOT NULL CHECK (unit IN ('M3', 'FT3')),
  -- in the unit, without what was granted on request
  room numeric(14, 3) NOT NULL CHECK (room >= 0),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  version int NOT NULL DEFAULT 0,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, stock, storage_type, month),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX quota_list ON shipping.quota (company_id, month DESC, id DESC);
CALL kit.tenant_table('shipping.quota');
CALL kit.data_scope('shipping.quota', 'account', 'account_id');

-- 申请额度: more room that Amazon was asked for, against a fee for its reservation.
CREATE TABLE shipping.quota_request (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  quota_id uuid NOT NULL,
  -- in the unit of the quota
  wanted numeric(14, 3) NOT NULL CHECK (wanted > 0),
  granted numeric(14, 3) CHECK (granted > 0),
  -- the most that is paid for all of it, in the currency of the site
  fee numeric(18, 4) NOT NULL CHECK (fee >= 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'approved', 'rejected')),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  version int NOT NULL DEFAULT 0,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  decided_by_name text,
  decided_at timestamptz,
  PRIMARY KEY (company_id, id),
  CONSTRAINT granted_with_approval CHECK ((state = 'approved') = (granted IS NOT NULL)
    AND (state <> 'pending') = (decided_at IS NOT NULL)),
  CONSTRAINT granted_of_wanted CHECK (granted <= wanted),
  FOREIGN KEY (company_id, quota_id) REFERENCES shipping.quota
);
CREATE INDEX quota_request_quota ON shipping.quota_request (company_id, quota_id);
CALL kit.tenant_table('shipping.quota_request');
CALL kit.data_scope_of('shipping.quota_request', 'shipping.quota', '{quota_id}', '{id}');
