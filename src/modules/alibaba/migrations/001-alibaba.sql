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
  -- The seller on the platform; his offers cannot be ordered together with another's. Empty: not known yet.
  seller text NOT NULL DEFAULT '',
  version int NOT NULL DEFAULT 0,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, product_id, supplier_id),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier
);
CALL kit.tenant_table('alibaba.offer_link');

-- What of a purchase order is, or was to be, ordered on the platform. A purchase order may be several orders there: of
-- several sellers, in parts, or split by the platform itself. What stands against ordering twice is not this row but the
-- pieces: see trade_line. Amounts in CNY.
CREATE TABLE alibaba.trade (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  buyer_id uuid NOT NULL,
  order_id uuid NOT NULL,
  order_number text NOT NULL,
  supplier_id uuid NOT NULL,
  -- the seller on the platform; empty: not known yet
  seller text NOT NULL DEFAULT '',
  warehouse_id uuid NOT NULL,
  -- our own number at the platform: by it an order that was not answered is found again
  out_order_id text NOT NULL,
  status text NOT NULL CHECK (status IN
    ('sending', 'failed', 'waitbuyerpay', 'waitsellersend', 'waitbuyerreceive', 'success', 'cancel')),
  problem text NOT NULL DEFAULT '',
  platform_id text,
  address_id text NOT NULL,
  -- what was asked for in the call that the order came of, as its lines were sent, and the purchase order's amount for all
  -- of it: from it the lines are dealt out whenever the platform makes more orders of one
  plan jsonb NOT NULL DEFAULT '[]',
  plan_amount numeric(18, 4) NOT NULL DEFAULT 0,
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
  UNIQUE (company_id, platform_id),
  FOREIGN KEY (company_id, buyer_id) REFERENCES alibaba.buyer,
  FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse
);
CREATE INDEX trade_order ON alibaba.trade (company_id, order_id);
-- Orders that the platform made of one call share our number; a call that was not answered is one row.
CREATE UNIQUE INDEX trade_call ON alibaba.trade (company_id, out_order_id) WHERE platform_id IS NULL;
CREATE INDEX trade_number ON alibaba.trade (company_id, out_order_id);
CREATE INDEX trade_list ON alibaba.trade (company_id, id DESC);
CALL kit.tenant_table('alibaba.trade');

-- What of a line of the purchase order is in an order at the platform. Amounts in CNY.
CREATE TABLE alibaba.trade_line (
  company_id uuid NOT NULL,
  trade_id uuid NOT NULL,
  order_line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  offer_id text NOT NULL,
  spec_id text NOT NULL,
  pieces_per_unit int NOT NULL CHECK (pieces_per_unit > 0),
  units int NOT NULL CHECK (units > 0),
  -- of the purchase order, its fees left out
  ordered numeric(18, 4) NOT NULL,
  -- as the platform has it
  amount numeric(18, 4),
  PRIMARY KEY (company_id, trade_id, order_line_id),
  FOREIGN KEY (company_id, trade_id) REFERENCES alibaba.trade ON DELETE CASCADE
);
CREATE INDEX trade_line_of ON alibaba.trade_line (company_id, order_line_id);
CALL kit.tenant_table('alibaba.trade_line');
