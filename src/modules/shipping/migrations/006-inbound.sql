-- 常规: our stock moves, and Amazon's inbound plan is made and followed by the product itself.
ALTER TABLE shipping.ship_order DROP CONSTRAINT ship_order_stock_mode_check;
ALTER TABLE shipping.ship_order ADD CONSTRAINT ship_order_stock_mode_check
  CHECK (stock_mode IN ('NORMAL', 'LOCAL', 'PLATFORM'));

-- The way of an order through Amazon's inbound API: how far it has come, what Amazon offers and what people chose.
CREATE TABLE shipping.inbound (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  -- Plans that were made for it; another one begins when the one before was called off.
  attempt int NOT NULL DEFAULT 1 CHECK (attempt > 0),
  plan_id text CHECK (length(plan_id) = 38),
  state text NOT NULL CHECK (state IN ('working', 'waiting', 'trouble', 'ended', 'cancelled')),
  stage text NOT NULL,
  -- What it waits for or what is wrong, in words for people.
  words text NOT NULL DEFAULT '',
  -- That the plan shall be called off, and whether another one begins then.
  wish text CHECK (wish IN ('cancel', 'redo')),
  -- As Amazon knows the products: by MSKU category and types of preparation; null until it was asked.
  prep jsonb,
  prep_wish jsonb,
  -- What Amazon offers, as it was read.
  packing jsonb,
  placement jsonb,
  transport jsonb,
  windows jsonb,
  chosen_packing text,
  chosen_placement text,
  -- Fee that was shown to whoever chose the placement.
  accepted_fee numeric(18, 4),
  accepted_currency text,
  -- Day on which the goods are ready.
  ready_on date,
  -- The carrier and the delivery window that were chosen for each shipment.
  ways jsonb,
  -- A worker's hold on it, and which one it is: an answer that comes late to a worker that lost it changes nothing.
  fence int NOT NULL DEFAULT 0,
  -- Counts what people did meanwhile: a turn that did not see it does not go to sleep.
  woken int NOT NULL DEFAULT 0,
  lease_until timestamptz,
  next_at timestamptz NOT NULL DEFAULT kit.now(),
  -- When the plan was last compared with what Amazon shows.
  watched_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, order_id),
  UNIQUE (company_id, plan_id),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order
);
CREATE INDEX inbound_due ON shipping.inbound (next_at) WHERE state IN ('working', 'waiting');
CALL kit.tenant_table('shipping.inbound', open_to_system => true);
CALL kit.data_scope_of('shipping.inbound', 'shipping.ship_order', '{order_id}', '{id}');

-- What was asked of Amazon, written down before it leaves: whoever finds one without an answer looks before he asks again.
CREATE TABLE shipping.inbound_operation (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  attempt int NOT NULL,
  stage text NOT NULL,
  -- The shipment that it is about; '' for the whole plan.
  subject text NOT NULL DEFAULT '',
  -- SHA-256 of what is asked: a success counts for as long as the same would be asked.
  hash text NOT NULL,
  -- As it was sent, letter by letter: its hash is compared.
  request json NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'asked', 'unknown', 'done', 'failed', 'dropped')),
  -- Whether what came of a success was read.
  taken boolean NOT NULL DEFAULT false,
  operation_id text,
  problems jsonb NOT NULL DEFAULT '[]',
  tries int NOT NULL DEFAULT 1,
  polls int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  asked_at timestamptz NOT NULL DEFAULT kit.now(),
  ended_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.inbound
);
CREATE INDEX inbound_operation_order ON shipping.inbound_operation (company_id, order_id, id);
CALL kit.tenant_table('shipping.inbound_operation');
CALL kit.data_scope_of('shipping.inbound_operation', 'shipping.ship_order', '{order_id}', '{id}');

-- Shipments of a placement that was confirmed: one for each of Amazon's warehouses.
CREATE TABLE shipping.inbound_shipment (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  account_id uuid NOT NULL,
  shipment_id text NOT NULL CHECK (length(shipment_id) = 38),
  -- The number on the labels, FBA…
  shipment_no text NOT NULL,
  center text NOT NULL DEFAULT '',
  status text NOT NULL,
  -- Pieces by MSKU.
  items jsonb NOT NULL,
  -- The way of transport that was confirmed: mode, solution, carrier, cost.
  transport jsonb,
  delivery_window jsonb,
  -- A PDF of all box labels.
  label_file_id uuid,
  -- LTL: number of the freight bill, and of the bill of lading.
  freight_bill text NOT NULL DEFAULT '' CHECK (length(freight_bill) <= 64),
  lading text NOT NULL DEFAULT '' CHECK (length(lading) <= 64),
  PRIMARY KEY (company_id, order_id, shipment_id),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.inbound,
  FOREIGN KEY (company_id, label_file_id) REFERENCES kit.file
);
CREATE UNIQUE INDEX inbound_shipment_no ON shipping.inbound_shipment (company_id, account_id, shipment_no);
CALL kit.tenant_table('shipping.inbound_shipment');
CALL kit.data_scope_of('shipping.inbound_shipment', 'shipping.ship_order', '{order_id}', '{id}');

-- Where a box goes, what Amazon calls it, and how it is followed.
ALTER TABLE shipping.box
  ADD COLUMN shipment_id text,
  ADD COLUMN amazon_box_id text,
  ADD COLUMN tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 64);
