-- 自发货单: pieces that we send to customers ourselves, for orders of a store or for one that came by no platform.
CREATE TABLE shipping.self_doc (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'short', 'printing', 'ready', 'held', 'out', 'trouble', 'shipped',
    'returned', 'cancelled')),
  version int NOT NULL DEFAULT 0,
  origin text NOT NULL CHECK (origin IN ('PLATFORM', 'OFFLINE')),
  -- null for a document of no store
  account_id uuid,
  marketplace_id text,
  warehouse_id uuid NOT NULL,
  -- where it goes on once it is no longer held
  held_from text CHECK (held_from IN ('pending', 'short', 'printing', 'ready')),
  -- why it does not go on, in Chinese
  problem text NOT NULL DEFAULT '' CHECK (length(problem) <= 500),
  channel_id uuid,
  carrier text NOT NULL DEFAULT '' CHECK (length(carrier) <= 60),
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 60),
  weight_g int CHECK (weight_g > 0),
  length_cm numeric(8, 2) CHECK (length_cm > 0),
  width_cm numeric(8, 2) CHECK (width_cm > 0),
  height_cm numeric(8, 2) CHECK (height_cm > 0),
  estimated_fee numeric(18, 4) CHECK (estimated_fee >= 0),
  actual_fee numeric(18, 4) CHECK (actual_fee >= 0),
  currency text NOT NULL DEFAULT 'CNY' CHECK (currency ~ '^[A-Z]{3}$'),
  -- the earliest of its orders
  latest_ship_at timestamptz,
  -- of an order only what the order itself keeps: country, state and the beginning of the postal code
  country text NOT NULL DEFAULT '' CHECK (length(country) <= 2),
  region text NOT NULL DEFAULT '' CHECK (length(region) <= 60),
  postal_code text NOT NULL DEFAULT '' CHECK (length(postal_code) <= 20),
  recipient text NOT NULL DEFAULT '' CHECK (length(recipient) <= 60),
  phone text NOT NULL DEFAULT '' CHECK (length(phone) <= 30),
  city text NOT NULL DEFAULT '' CHECK (length(city) <= 60),
  street text NOT NULL DEFAULT '' CHECK (length(street) <= 200),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  -- the posting by which its pieces left
  posting_id uuid,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  approved_by_name text,
  approved_at timestamptz,
  out_at timestamptz,
  shipped_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CONSTRAINT buyers_stay_with_amazon CHECK (origin = 'OFFLINE' OR recipient || phone || city || street = ''),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, channel_id) REFERENCES shipping.channel,
  FOREIGN KEY (company_id, posting_id) REFERENCES warehouse.stock_posting
);
CREATE INDEX self_doc_list ON shipping.self_doc (company_id, id DESC);
CREATE INDEX self_doc_state ON shipping.self_doc (company_id, state, latest_ship_at);
CREATE INDEX self_doc_account ON shipping.self_doc (company_id, account_id);
CREATE INDEX self_doc_warehouse ON shipping.self_doc (company_id, warehouse_id);
CREATE INDEX self_doc_tracking ON shipping.self_doc (company_id, tracking_no) WHERE tracking_no <> '';
CALL kit.tenant_table('shipping.self_doc');

-- Orders that a document is for, and the report of each to the platform. Bound to the store alone: what is taken of an order
-- counts whoever looks, from whichever warehouse it is sent.
CREATE TABLE shipping.self_order (
  company_id uuid NOT NULL,
  doc_id uuid NOT NULL,
  selling_partner_id text NOT NULL,
  amazon_order_id text NOT NULL,
  account_id uuid NOT NULL,
  -- the write by which the order's package was reported as sent
  write_id uuid,
  -- nothing is taken of the order any more: called off, come back, or shown as sent by the platform
  over boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, doc_id, selling_partner_id, amazon_order_id),
  FOREIGN KEY (company_id, doc_id) REFERENCES shipping.self_doc ON DELETE CASCADE
);
CREATE INDEX self_order_order ON shipping.self_order (company_id, selling_partner_id, amazon_order_id);
CREATE INDEX self_order_open ON shipping.self_order (company_id, account_id) WHERE NOT over;
CALL kit.tenant_table('shipping.self_order');

CREATE TABLE shipping.self_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  doc_id uuid NOT NULL,
  line_no int NOT NULL,
  account_id uuid,
  -- the line of the order; null for a document of no platform
  selling_partner_id text,
  amazon_order_id text,
  order_item_id text,
  -- the SKU at the platform, or our own
  msku text NOT NULL CHECK (length(msku) BETWEEN 1 AND 100),
  asin text,
  title text NOT NULL DEFAULT '',
  image text,
  qty int NOT NULL CHECK (qty > 0),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, doc_id, line_no),
  FOREIGN KEY (company_id, doc_id) REFERENCES shipping.self_doc ON DELETE CASCADE
);
CREATE INDEX self_line_item ON shipping.self_line (company_id, selling_partner_id, amazon_order_id, order_item_id);
CREATE INDEX self_line_msku ON shipping.self_line (company_id, msku);
CALL kit.tenant_table('shipping.self_line');

-- Keepers see the documents of their warehouses, sellers those of their stores; one of no store is the warehouse's alone.
DO $$
DECLARE
  bound record;
  words text;
BEGIN
  FOR bound IN SELECT t.name, t.places, a.policy, a.side
      FROM (VALUES ('shipping.self_doc', true), ('shipping.self_line', false)) AS t(name, places),
           (VALUES ('scope_read', 'read'), ('scope_insert', 'write'), ('scope_update', 'write'),
             ('scope_delete', 'write')) AS a(policy, side) LOOP
    words := format('((SELECT kit.reach(%1$L, ''account'')) IS NULL OR account_id IS NULL
      OR account_id = ANY ((SELECT kit.reach(%1$L, ''account''))::uuid[]))', bound.side);
    IF bound.places THEN
      words := words || format(' AND ((SELECT kit.reach(%1$L, ''warehouse'')) IS NULL
        OR warehouse_id = ANY ((SELECT kit.reach(%1$L, ''warehouse''))::uuid[]))', bound.side);
    END IF;
    EXECUTE format('ALTER POLICY %I ON %s %s (%s)', bound.policy, bound.name,
      CASE WHEN bound.policy IN ('scope_insert', 'scope_update') THEN 'WITH CHECK' ELSE 'USING' END, words);
  END LOOP;
END $$;

-- Local products of one piece of a line, as the listing was matched when the document was written. Its id is the line that
-- the ledger's reservations name.
CREATE TABLE shipping.self_part (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  doc_id uuid NOT NULL,
  line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  qty_per int NOT NULL CHECK (qty_per > 0),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, line_id, product_id),
  FOREIGN KEY (company_id, doc_id) REFERENCES shipping.self_doc ON DELETE CASCADE,
  FOREIGN KEY (company_id, line_id) REFERENCES shipping.self_line ON DELETE CASCADE,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX self_part_doc ON shipping.self_part (company_id, doc_id);
CREATE INDEX self_part_product ON shipping.self_part (company_id, product_id);
CALL kit.tenant_table('shipping.self_part');
CALL kit.data_scope_of('shipping.self_part', 'shipping.self_doc', '{doc_id}', '{id}');

-- What moved stock for a document, or was scanned: once per id that the client gave it.
CREATE TABLE shipping.self_event (
  company_id uuid NOT NULL,
  doc_id uuid NOT NULL,
  seq int NOT NULL,
  event text NOT NULL,
  client_id text CHECK (length(client_id) <= 100),
  posting_id uuid,
  at timestamptz NOT NULL DEFAULT kit.now(),
  by_name text NOT NULL,
  -- as sent; of a posting what each of its moves carried
  lines jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (company_id, doc_id, seq),
  UNIQUE (company_id, doc_id, client_id),
  FOREIGN KEY (company_id, doc_id) REFERENCES shipping.self_doc,
  FOREIGN KEY (company_id, posting_id) REFERENCES warehouse.stock_posting
);
CALL kit.tenant_table('shipping.self_event', append_only => true);
CALL kit.data_scope_of('shipping.self_event', 'shipping.self_doc', '{doc_id}', '{id}');
