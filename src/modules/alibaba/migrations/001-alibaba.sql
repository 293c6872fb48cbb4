CALL kit.module_schema('alibaba');

-- A consent that is under way: works once, for whoever began it; only the hash of its nonce is kept.
CREATE TABLE alibaba.consent (
  company_id uuid NOT NULL,
  nonce_hash text NOT NULL,
  user_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (company_id, nonce_hash)
);
CALL kit.tenant_table('alibaba.consent');

-- An account on the platform that the company buys with.
CREATE TABLE alibaba.buyer (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  member_id text NOT NULL,
  login_id text NOT NULL,
  state text NOT NULL CHECK (state IN ('active', 'lost', 'removed')),
  access_token_sealed text,
  access_expires_at timestamptz,
  refresh_token_sealed text,
  refresh_expires_at timestamptz,
  -- how far its orders have been read, by their time of change
  synced_until timestamptz,
  synced_at timestamptz,
  sync_error text,
  bound_by_name text NOT NULL,
  bound_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, member_id)
);
CALL kit.tenant_table('alibaba.buyer');

-- What a supplier's offer is here: so many pieces of a product in one unit of the offer.
CREATE TABLE alibaba.offer_link (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  product_id uuid NOT NULL,
  supplier_id uuid NOT NULL,
  offer_id text NOT NULL CHECK (offer_id ~ '^\d{5,20}$'),
  spec_id text NOT NULL DEFAULT '',
  subject text NOT NULL DEFAULT '',
  spec text NOT NULL DEFAULT '',
  pieces_per_unit int NOT NULL DEFAULT 1 CHECK (pieces_per_unit BETWEEN 1 AND 1000000),
  version int NOT NULL DEFAULT 0,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, product_id, supplier_id),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier
);
CALL kit.tenant_table('alibaba.offer_link');

-- A purchase order that is, or was to be, ordered on the platform. Amounts in CNY.
CREATE TABLE alibaba.trade (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  buyer_id uuid NOT NULL,
  order_id uuid NOT NULL,
  order_number text NOT NULL,
  supplier_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  -- our own number at the platform: by it an order that was not answered is found again
  out_order_id text NOT NULL,
  status text NOT NULL CHECK (status IN
    ('sending', 'failed', 'waitbuyerpay', 'waitsellersend', 'waitbuyerreceive', 'success', 'cancel')),
  problem text NOT NULL DEFAULT '',
  platform_id text,
  address_id text NOT NULL,
  cargo jsonb NOT NULL,
  -- the purchase order's total, and what the preview said, when it was sent
  order_amount numeric(18, 4) NOT NULL,
  expected numeric(18, 4) NOT NULL,
  -- as the platform has it
  total numeric(18, 4),
  freight numeric(18, 4),
  refund numeric(18, 4) NOT NULL DEFAULT 0,
  paid_at timestamptz,
  modified_at timestamptz,
  tracking_no text NOT NULL DEFAULT '',
  steps jsonb NOT NULL DEFAULT '[]',
  placed_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, out_order_id),
  UNIQUE (company_id, platform_id),
  FOREIGN KEY (company_id, buyer_id) REFERENCES alibaba.buyer,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse
);
-- A purchase order is ordered once: the next try begins when the one before failed or was closed.
CREATE UNIQUE INDEX trade_once ON alibaba.trade (company_id, order_id) WHERE status NOT IN ('failed', 'cancel');
CREATE INDEX trade_list ON alibaba.trade (company_id, id DESC);
CALL kit.tenant_table('alibaba.trade');
