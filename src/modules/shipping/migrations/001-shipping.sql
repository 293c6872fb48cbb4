CALL kit.module_schema('shipping');

-- 发货单: pieces of one warehouse that go to Amazon for one store and site.
CREATE TABLE shipping.ship_order (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'rejected', 'held', 'picking', 'packing', 'ready', 'shipped',
    'receiving', 'done', 'cancelled')),
  version int NOT NULL DEFAULT 0,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  warehouse_id uuid NOT NULL,
  -- Amazon's stock of the store there, once pieces are on their way to it
  to_warehouse_id uuid,
  -- where they are sent from, as Amazon is told
  address_id uuid,
  pack_type text NOT NULL CHECK (pack_type IN ('MIXED', 'CASE')),
  transport text NOT NULL CHECK (transport IN ('SEA', 'AIR', 'EXPRESS', 'RAIL', 'TRUCK')),
  stock_mode text NOT NULL CHECK (stock_mode IN ('LOCAL', 'PLATFORM')),
  planned_on date,
  -- Amazon's number of the shipment, FBA…
  shipment_no text NOT NULL DEFAULT '' CHECK (length(shipment_no) <= 30),
  carrier text NOT NULL DEFAULT '' CHECK (length(carrier) <= 100),
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  approved_by_name text,
  approved_at timestamptz,
  shipped_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, to_warehouse_id) REFERENCES warehouse.warehouse
);
CREATE INDEX ship_order_list ON shipping.ship_order (company_id, id DESC);
CREATE INDEX ship_order_state ON shipping.ship_order (company_id, state, id DESC);
CREATE INDEX ship_order_account ON shipping.ship_order (company_id, account_id);
CREATE INDEX ship_order_warehouse ON shipping.ship_order (company_id, warehouse_id);
CREATE INDEX ship_order_planned ON shipping.ship_order (company_id, planned_on);
CALL kit.tenant_table('shipping.ship_order');
CALL kit.data_scope('shipping.ship_order', 'account', 'account_id');

-- Keepers see the orders of their warehouses, sellers those of their stores; whoever is limited in both ways needs both.
DO $$
DECLARE
  action record;
  words text;
BEGIN
  FOR action IN SELECT * FROM (VALUES ('scope_read', 'read'), ('scope_insert', 'write'), ('scope_update', 'write'),
      ('scope_delete', 'write')) AS a(policy, side) LOOP
    words := format('((SELECT kit.reach(%1$L, ''account'')) IS NULL
      OR account_id = ANY ((SELECT kit.reach(%1$L, ''account''))::uuid[]))
      AND ((SELECT kit.reach(%1$L, ''warehouse'')) IS NULL
      OR warehouse_id = ANY ((SELECT kit.reach(%1$L, ''warehouse''))::uuid[]))', action.side);
    EXECUTE format('ALTER POLICY %I ON shipping.ship_order %s (%s)', action.policy,
      CASE WHEN action.policy IN ('scope_insert', 'scope_update') THEN 'WITH CHECK' ELSE 'USING' END, words);
  END LOOP;
END $$;

CREATE TABLE shipping.ship_order_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  line_no int NOT NULL,
  msku text NOT NULL CHECK (length(msku) BETWEEN 1 AND 100),
  fnsku text,
  asin text,
  -- the listing's title as it was written
  title text NOT NULL DEFAULT '',
  image text,
  qty int NOT NULL CHECK (qty > 0),
  picked_qty int NOT NULL DEFAULT 0 CHECK (picked_qty BETWEEN 0 AND qty),
  shipped_qty int NOT NULL DEFAULT 0 CHECK (shipped_qty BETWEEN 0 AND qty),
  received_qty int NOT NULL DEFAULT 0 CHECK (received_qty >= 0),
  lost_qty int NOT NULL DEFAULT 0 CHECK (lost_qty >= 0),
  box_qty int CHECK (box_qty > 0),
  label_owner text NOT NULL CHECK (label_owner IN ('SELLER', 'AMAZON', 'NONE')),
  prep_owner text NOT NULL CHECK (prep_owner IN ('SELLER', 'AMAZON', 'NONE')),
  expires_on date,
  PRIMARY KEY (company_id, id),
  -- Amazon takes one row for a SKU in one plan
  UNIQUE (company_id, order_id, msku),
  UNIQUE (company_id, order_id, line_no),
  CONSTRAINT arrived_or_lost CHECK (received_qty + lost_qty <= shipped_qty OR lost_qty = 0),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order ON DELETE CASCADE
);
CREATE INDEX ship_order_line_msku ON shipping.ship_order_line (company_id, msku);
CALL kit.tenant_table('shipping.ship_order_line');
CALL kit.data_scope_of('shipping.ship_order_line', 'shipping.ship_order', '{order_id}', '{id}');

-- Local products of one piece of a line, as the listing was matched when the order was handed in. Its id is the line that
-- the ledger's reservations name.
CREATE TABLE shipping.ship_order_part (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  qty_per int NOT NULL CHECK (qty_per > 0),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, line_id, product_id),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order ON DELETE CASCADE,
  FOREIGN KEY (company_id, line_id) REFERENCES shipping.ship_order_line ON DELETE CASCADE,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX ship_order_part_order ON shipping.ship_order_part (company_id, order_id);
CREATE INDEX ship_order_part_product ON shipping.ship_order_part (company_id, product_id);
CALL kit.tenant_table('shipping.ship_order_part');
CALL kit.data_scope_of('shipping.ship_order_part', 'shipping.ship_order', '{order_id}', '{id}');

-- Pieces that are on their way or came, by lot.
CREATE TABLE shipping.ship_order_piece (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  part_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  received_qty int NOT NULL DEFAULT 0 CHECK (received_qty >= 0),
  PRIMARY KEY (company_id, part_id, lot_id),
  CHECK (received_qty <= qty),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order,
  FOREIGN KEY (company_id, part_id) REFERENCES shipping.ship_order_part
);
CREATE INDEX ship_order_piece_order ON shipping.ship_order_piece (company_id, order_id);
CALL kit.tenant_table('shipping.ship_order_piece');
CALL kit.data_scope_of('shipping.ship_order_piece', 'shipping.ship_order', '{order_id}', '{id}');

CREATE TABLE shipping.box (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  box_no int NOT NULL CHECK (box_no > 0),
  -- cm and kg, null where nobody measured it
  length numeric(8, 2) CHECK (length > 0),
  width numeric(8, 2) CHECK (width > 0),
  height numeric(8, 2) CHECK (height > 0),
  weight numeric(10, 3) CHECK (weight > 0),
  PRIMARY KEY (company_id, order_id, box_no),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order ON DELETE CASCADE
);
CALL kit.tenant_table('shipping.box');
CALL kit.data_scope_of('shipping.box', 'shipping.ship_order', '{order_id}', '{id}');

CREATE TABLE shipping.box_item (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  box_no int NOT NULL,
  line_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  PRIMARY KEY (company_id, order_id, box_no, line_id),
  FOREIGN KEY (company_id, order_id, box_no) REFERENCES shipping.box ON DELETE CASCADE,
  FOREIGN KEY (company_id, line_id) REFERENCES shipping.ship_order_line ON DELETE CASCADE
);
CREATE INDEX box_item_line ON shipping.box_item (company_id, line_id);
CALL kit.tenant_table('shipping.box_item');
CALL kit.data_scope_of('shipping.box_item', 'shipping.ship_order', '{order_id}', '{id}');

-- What moved stock for an order, or was scanned: once per id that the client gave it.
CREATE TABLE shipping.ship_order_event (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  seq int NOT NULL,
  event text NOT NULL,
  client_id text CHECK (length(client_id) <= 100),
  posting_id uuid,
  at timestamptz NOT NULL DEFAULT kit.now(),
  by_name text NOT NULL,
  -- as sent
  lines jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (company_id, order_id, seq),
  UNIQUE (company_id, order_id, client_id),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order,
  FOREIGN KEY (company_id, posting_id) REFERENCES warehouse.stock_posting
);
CALL kit.tenant_table('shipping.ship_order_event', append_only => true);
CALL kit.data_scope_of('shipping.ship_order_event', 'shipping.ship_order', '{order_id}', '{id}');
