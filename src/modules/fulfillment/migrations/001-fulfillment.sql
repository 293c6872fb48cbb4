CALL kit.module_schema('fulfillment');

-- Orders of buyers from elsewhere that Amazon sends out of a seller's FBA stock (Multi-Channel Fulfillment): those that were
-- written here, and those that were made elsewhere, as Amazon tells them.
CREATE TABLE fulfillment.mcf_order (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- sellerFulfillmentOrderId: names the order at the selling account, for good
  number text NOT NULL CHECK (length(number) BETWEEN 1 AND 40),
  origin text NOT NULL CHECK (origin IN ('ERP', 'AMAZON')),
  platform text NOT NULL,
  -- displayableOrderId: what the buyer knows it by
  order_no text NOT NULL CHECK (length(order_no) BETWEEN 1 AND 40),
  ordered_at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('DRAFT', 'SUBMITTING', 'REFUSED', 'UNKNOWN', 'HELD', 'RECEIVED', 'PLANNING', 'PROCESSING',
    'COMPLETE', 'PARTIAL', 'CANCELLING', 'CANCELLED', 'UNFULFILLABLE', 'INVALID')),
  -- somebody asked for its cancellation and Amazon has not decided yet
  cancelling boolean NOT NULL DEFAULT false,
  -- as Amazon told it last; NULL before
  amazon_status text,
  amazon_status_at timestamptz,
  speed text NOT NULL,
  policy text NOT NULL,
  hold boolean NOT NULL,
  blank_box boolean NOT NULL DEFAULT false,
  comment text NOT NULL DEFAULT '',
  -- what Amazon said right before it was sent
  fee numeric(18, 4),
  currency text,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  region text NOT NULL DEFAULT '',
  postal_prefix text NOT NULL DEFAULT '' CHECK (length(postal_prefix) <= 3),
  -- who gets it and where, sealed; NULL where it was never here or is gone
  address text,
  lead_sku text NOT NULL,
  line_count int NOT NULL CHECK (line_count > 0),
  units int NOT NULL,
  cancelled_units int NOT NULL DEFAULT 0,
  unfulfillable_units int NOT NULL DEFAULT 0,
  package_count int NOT NULL DEFAULT 0,
  tracking_number text,
  estimated_arrival_at timestamptz,
  shipped_at timestamptz,
  delivered_at timestamptz,
  problem text,
  read_at timestamptz,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, number),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX mcf_order_newest ON fulfillment.mcf_order (company_id, ordered_at DESC, id DESC);
CREATE INDEX mcf_order_state ON fulfillment.mcf_order (company_id, state, ordered_at DESC);
CREATE INDEX mcf_order_order_no ON fulfillment.mcf_order (company_id, order_no);
-- Whom the nightly purge has to look at.
CREATE INDEX mcf_order_address ON fulfillment.mcf_order (company_id) WHERE address IS NOT NULL;
CALL kit.tenant_table('fulfillment.mcf_order');
CALL kit.data_scope('fulfillment.mcf_order', 'account', 'account_id');

CREATE TABLE fulfillment.mcf_line (
  company_id uuid NOT NULL,
  mcf_id uuid NOT NULL,
  line_no int NOT NULL CHECK (line_no > 0),
  -- sellerFulfillmentOrderItemId
  item_id text NOT NULL,
  seller_sku text NOT NULL,
  quantity int NOT NULL CHECK (quantity > 0),
  cancelled int NOT NULL DEFAULT 0,
  unfulfillable int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, mcf_id, line_no),
  FOREIGN KEY (company_id, mcf_id) REFERENCES fulfillment.mcf_order
);
CREATE INDEX mcf_line_sku ON fulfillment.mcf_line (company_id, seller_sku);
CALL kit.tenant_table('fulfillment.mcf_line');
CALL kit.data_scope_of('fulfillment.mcf_line', 'fulfillment.mcf_order', '{mcf_id}', '{id}');

-- Packages of orders that have left, with what their carriers tell; no event says where the buyer lives.
CREATE TABLE fulfillment.mcf_package (
  company_id uuid NOT NULL,
  mcf_id uuid NOT NULL,
  package_number bigint NOT NULL,
  shipment_id text NOT NULL DEFAULT '',
  carrier text NOT NULL,
  tracking_number text,
  units int NOT NULL,
  shipped_at timestamptz,
  estimated_arrival_at timestamptz,
  -- as getPackageTrackingDetails names it; NULL before it was asked
  status text,
  -- [{"at", "code", "words"}], the newest first
  events jsonb NOT NULL DEFAULT '[]',
  delivered_at timestamptz,
  tracked_at timestamptz,
  PRIMARY KEY (company_id, mcf_id, package_number),
  FOREIGN KEY (company_id, mcf_id) REFERENCES fulfillment.mcf_order
);
CREATE INDEX mcf_package_open ON fulfillment.mcf_package (company_id, tracked_at) WHERE delivered_at IS NULL;
CALL kit.tenant_table('fulfillment.mcf_package');
CALL kit.data_scope_of('fulfillment.mcf_package', 'fulfillment.mcf_order', '{mcf_id}', '{id}');
