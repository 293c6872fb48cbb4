CALL kit.module_schema('warehouse');

-- Whoever writes stock: the functions of the ledger run as this role, and no other role may write what they write. It
-- owns no table, so row-level security binds it to the company of the transaction like everybody else.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'erp_ledger') THEN
    CREATE ROLE erp_ledger NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- two databases of one cluster being created at the same time
END $$;
DO $$
BEGIN
  EXECUTE format('GRANT erp_ledger TO %I', current_user);
EXCEPTION WHEN unique_violation OR SQLSTATE 'XX000' THEN
  NULL; -- the same grant from a neighbouring database at the same moment
END $$;
GRANT USAGE ON SCHEMA kit, warehouse, product TO erp_ledger;
GRANT SELECT ON product.local_product TO erp_ledger;

-- Places

-- A place with an address; its 仓位 by quality stand in warehouse.warehouse.
CREATE TABLE warehouse.warehouse_group (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  country text NOT NULL DEFAULT 'CN' CHECK (country ~ '^[A-Z]{2}$'),
  sort int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CALL kit.tenant_table('warehouse.warehouse_group');

CREATE TABLE warehouse.address (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  code text NOT NULL DEFAULT '',
  detail text NOT NULL DEFAULT '',
  postal_code text NOT NULL DEFAULT '',
  owner text NOT NULL DEFAULT '',
  phone text NOT NULL DEFAULT '',
  lease_until date,
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CALL kit.tenant_table('warehouse.address');

CREATE TABLE warehouse.warehouse (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  code text NOT NULL CHECK (length(code) BETWEEN 1 AND 30),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  -- VIRTUAL is the world outside: suppliers, customers, losses; see warehouse.virtual_id
  kind text NOT NULL CHECK (kind IN ('LOCAL', 'OVERSEAS', 'THIRD_PARTY', 'FBA', 'AWD', 'TRANSIT', 'VIRTUAL')),
  quality text NOT NULL DEFAULT 'GOOD' CHECK (quality IN ('GOOD', 'QC', 'DEFECTIVE')),
  group_id uuid,
  address_id uuid,
  country text NOT NULL DEFAULT 'CN' CHECK (country ~ '^[A-Z]{2}$'),
  -- the store that alone uses it; no data right hangs on it, those are given by warehouse
  for_store_id uuid,
  is_default boolean NOT NULL DEFAULT false,
  -- layers note it, or the warehouse where there is none; average prices are made by warehouse all the same
  cost_pool_id uuid,
  disabled boolean NOT NULL DEFAULT false,
  sort int NOT NULL DEFAULT 0,
  remark text NOT NULL DEFAULT '',
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, code),
  FOREIGN KEY (company_id, group_id) REFERENCES warehouse.warehouse_group,
  FOREIGN KEY (company_id, address_id) REFERENCES warehouse.address
);
CREATE UNIQUE INDEX warehouse_default ON warehouse.warehouse (company_id, group_id, quality) WHERE is_default;
CALL kit.tenant_table('warehouse.warehouse');
CALL kit.data_scope('warehouse.warehouse', 'warehouse', 'id');

-- The one STAGING location of a warehouse carries the warehouse's own id, so nobody has to look it up and no stock is
-- without a location.
CREATE TABLE warehouse.location (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  warehouse_id uuid NOT NULL,
  -- the place in the tree is known by it alone
  parent_id uuid,
  code text NOT NULL CHECK (length(code) BETWEEN 1 AND 60),
  -- codes from the top down: "A/A01/A01-1/A01-1-03"
  path text NOT NULL,
  -- AREA is an inner node of the tree and holds nothing itself
  type text NOT NULL CHECK (type IN ('AREA', 'STORAGE', 'STAGING', 'PICK', 'QC')),
  pick_sequence int NOT NULL DEFAULT 0,
  length_mm int CHECK (length_mm > 0),
  width_mm int CHECK (width_mm > 0),
  height_mm int CHECK (height_mm > 0),
  max_weight_g int CHECK (max_weight_g > 0),
  frozen boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, warehouse_id, id),
  UNIQUE (company_id, warehouse_id, code),
  CHECK ((type = 'STAGING') = (id = warehouse_id)),
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, parent_id) REFERENCES warehouse.location
);
CREATE INDEX location_tree ON warehouse.location (company_id, warehouse_id, path);
CALL kit.tenant_table('warehouse.location');

-- The default lot of a product carries the product's id and no number.
CREATE TABLE warehouse.lot (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  product_id uuid NOT NULL,
  lot_no text NOT NULL CHECK (length(lot_no) <= 60),
  supplier_id uuid,
  manufactured_at date,
  expires_at date,
  -- of stock that is labelled already
  fnsku text,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, product_id, lot_no),
  UNIQUE (company_id, product_id, id),
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CALL kit.tenant_table('warehouse.lot');

-- How stock is kept

-- How a company keeps stock; a company without a row keeps it by the defaults.
CREATE TABLE warehouse.setting (
  company_id uuid NOT NULL PRIMARY KEY,
  -- see the cost of stock below
  valuation text NOT NULL DEFAULT 'FIFO' CHECK (valuation IN ('FIFO', 'AVERAGE', 'MONTHLY')),
  -- the method chosen last, and the first day of the period from which it holds
  next_valuation text CHECK (next_valuation IN ('FIFO', 'AVERAGE', 'MONTHLY')),
  next_from date CHECK (next_from = date_trunc('month', next_from)::date),
  -- oldest first by day of first receipt, or by the order in which layers were written
  fifo_by text NOT NULL DEFAULT 'DATE' CHECK (fifo_by IN ('DATE', 'SEQUENCE')),
  backdate_days int NOT NULL DEFAULT 3 CHECK (backdate_days BETWEEN 0 AND 31),
  -- lots with less shelf life than that are not handed out
  shelf_life_days int NOT NULL DEFAULT 105 CHECK (shelf_life_days BETWEEN 0 AND 3650),
  CHECK ((next_valuation IS NULL) = (next_from IS NULL))
);
CALL kit.tenant_table('warehouse.setting');

-- Months that are done; a month without a row is open.
CREATE TABLE warehouse.inventory_period (
  company_id uuid NOT NULL,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  state text NOT NULL CHECK (state IN ('OPEN', 'CLOSED')),
  -- by which method it was closed: closing it again after it was opened holds to it
  valuation text CHECK (valuation IN ('FIFO', 'AVERAGE', 'MONTHLY')),
  -- the task that closes it, while it does
  task_id uuid,
  changed_by_name text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, month)
);
CALL kit.tenant_table('warehouse.inventory_period');

-- What a count holds still. A null narrows nothing: a row with a warehouse only freezes all of it.
CREATE TABLE warehouse.freeze (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  warehouse_id uuid NOT NULL,
  location_id uuid,
  product_id uuid,
  document_type text NOT NULL,
  document_id text NOT NULL,
  document_number text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  released_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse
);
CREATE INDEX freeze_open ON warehouse.freeze (company_id, warehouse_id) WHERE released_at IS NULL;
CALL kit.tenant_table('warehouse.freeze');

-- The ledger

-- Its functions are the only code that writes postings, entries, balances, layers and reservations: see warehouse.post.
-- They are in the database because one event then is one round trip with every lock held for microseconds.

-- One movement of a product from a place to a place. What is not said by the ledger's face is resolved before it comes.
CREATE TYPE warehouse.move AS (
  n int,           -- 1, 2, 3 …
  p uuid,          -- product
  q int,           -- pieces, > 0
  fw uuid, fl uuid, fb uuid, fs text,  -- from: warehouse, location, lot, status
  tw uuid, tl uuid, tb uuid, ts text,  -- to
  r uuid,          -- reservation, where either side is RESERVED
  k text,          -- cost of what comes in from outside: GIVEN, LAST, CARRY, SUM
  g int,           -- group of CARRY and SUM
  a numeric,       -- GIVEN: value of all pieces; SUM: what is added to the group's value
  w numeric,       -- SUM: weight of this move in the group
  od date,         -- GIVEN: day of the first receipt
  st text,         -- ESTIMATED or FINAL
  c jsonb          -- GIVEN: components of the value
);

-- A balance after the posting: its key, what was added, what is there now.
CREATE TYPE warehouse.cell AS (s text, w uuid, p uuid, l uuid, b uuid, d int, after int, seq bigint, bad boolean);

-- Stock is counted in order of this; it is drawn while the cell is locked, so it rises within a cell.
CREATE SEQUENCE warehouse.stock_seq;
GRANT USAGE ON SEQUENCE warehouse.stock_seq TO erp_ledger;

-- One event of one document, once: its unique key is what makes a repeated event harmless.
CREATE TABLE warehouse.stock_posting (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  source_type text NOT NULL,
  source_id text NOT NULL,
  source_event text NOT NULL,
  event_seq int NOT NULL DEFAULT 0,
  -- what people call the document
  source_number text NOT NULL,
  business_date date NOT NULL,
  posted_at timestamptz NOT NULL DEFAULT kit.instant(),
  reverses_id uuid,
  operator_id uuid,
  operator_name text NOT NULL,
  note text NOT NULL DEFAULT '',
  -- tells readers that follow the ledger which postings are committed for good
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, source_type, source_id, source_event, event_seq),
  UNIQUE (company_id, reverses_id),
  FOREIGN KEY (company_id, reverses_id) REFERENCES warehouse.stock_posting
);
CREATE INDEX stock_posting_xid ON warehouse.stock_posting (company_id, xid);
-- what a month is made of
CREATE INDEX stock_posting_day ON warehouse.stock_posting (company_id, business_date);
CALL kit.tenant_table('warehouse.stock_posting');

-- The ledger itself. No foreign keys: what a posting writes is bound by the keys of the balances that it moves. Value may
-- come to pieces without a piece coming, e.g. freight of a transfer: such an entry moves an amount only.
CREATE TABLE warehouse.stock_entry (
  company_id uuid NOT NULL,
  seq bigint NOT NULL,
  posted_at timestamptz NOT NULL,
  posting_id uuid NOT NULL,
  line_no int NOT NULL,
  business_date date NOT NULL,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  location_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  -- OUTSIDE in virtual warehouses
  status text NOT NULL,
  qty int NOT NULL,
  balance_after int NOT NULL,
  -- null where the movement leaves the value where it is: a shelf, a reservation
  unit_cost numeric(20, 6),
  amount numeric(18, 4),
  PRIMARY KEY (company_id, seq, posted_at),
  CONSTRAINT stock_entry_moves CHECK (qty <> 0 OR amount <> 0)
) PARTITION BY RANGE (posted_at);
CREATE INDEX stock_entry_product ON warehouse.stock_entry (company_id, product_id, warehouse_id, seq DESC);
CREATE INDEX stock_entry_posting ON warehouse.stock_entry (company_id, posting_id);
CREATE INDEX stock_entry_time ON warehouse.stock_entry USING brin (posted_at);
CALL kit.tenant_table('warehouse.stock_entry', append_only => true);
-- For whatever no month takes; the months are made by warehouse.make_months.
CREATE TABLE warehouse.stock_entry_other PARTITION OF warehouse.stock_entry DEFAULT;
CALL kit.tenant_table('warehouse.stock_entry_other', append_only => true);
REVOKE ALL ON warehouse.stock_entry_other FROM erp_app;

-- What is where now. `delta` is the last movement: with it one statement locks, adds and refuses.
CREATE TABLE warehouse.stock_balance (
  company_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  product_id uuid NOT NULL,
  location_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN
    ('EXPECTED', 'IN_TRANSIT', 'QUARANTINE', 'AVAILABLE', 'RESERVED', 'PROCESSING', 'DEFECTIVE', 'OUTSIDE')),
  qty int NOT NULL,
  delta int NOT NULL,
  last_seq bigint NOT NULL,
  PRIMARY KEY (company_id, warehouse_id, product_id, location_id, lot_id, status),
  CHECK (qty >= 0 OR status = 'OUTSIDE'),
  FOREIGN KEY (company_id, warehouse_id, location_id) REFERENCES warehouse.location (company_id, warehouse_id, id),
  FOREIGN KEY (company_id, product_id, lot_id) REFERENCES warehouse.lot (company_id, product_id, id)
) WITH (fillfactor = 70);
CREATE INDEX stock_balance_product ON warehouse.stock_balance (company_id, product_id);
CALL kit.tenant_table('warehouse.stock_balance');

-- Stock at the end of a business day, on days with movement only: the newest row up to a day is the stock of that day.
CREATE TABLE warehouse.daily_snapshot (
  company_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  product_id uuid NOT NULL,
  status text NOT NULL,
  business_date date NOT NULL,
  qty int NOT NULL,
  -- value as the ledger moved it; movements inside a warehouse carry none, so it is exact per product and warehouse only
  amount numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, warehouse_id, product_id, status, business_date)
);
CREATE INDEX daily_snapshot_product ON warehouse.daily_snapshot (company_id, product_id, business_date);
CALL kit.tenant_table('warehouse.daily_snapshot');

-- Up to which transaction the snapshots of a company have followed the ledger: they hold the postings before it and no
-- other, so that whoever adds those from it on counts nothing twice.
CREATE TABLE warehouse.snapshot_progress (
  company_id uuid NOT NULL PRIMARY KEY,
  upto xid8 NOT NULL,
  folded_at timestamptz NOT NULL DEFAULT kit.now()
);
CALL kit.tenant_table('warehouse.snapshot_progress');

-- What the nightly self-check of the ledger found; an empty list is a proof.
CREATE TABLE warehouse.health_run (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT kit.now(),
  ms int NOT NULL,
  -- [{ code, title, checked, broken, samples: [...] }]
  results jsonb NOT NULL,
  broken int NOT NULL,
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('warehouse.health_run');

-- Reservations

-- Who holds what is 待出库: one row per line of a document and cell.
CREATE TABLE warehouse.reservation (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  document_type text NOT NULL,
  document_id text NOT NULL,
  line_id text NOT NULL,
  document_number text NOT NULL,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  location_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  qty int NOT NULL DEFAULT 0 CHECK (qty >= 0),
  picked_qty int NOT NULL DEFAULT 0 CHECK (picked_qty >= 0),
  shipped_qty int NOT NULL DEFAULT 0 CHECK (shipped_qty >= 0),
  released_qty int NOT NULL DEFAULT 0 CHECK (released_qty >= 0),
  held int NOT NULL GENERATED ALWAYS AS (qty - shipped_qty - released_qty) STORED,
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'PICKED', 'SHIPPED', 'RELEASED', 'EXPIRED')),
  -- null: for ever
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CHECK (shipped_qty + released_qty <= qty),
  CHECK (picked_qty + released_qty <= qty)
);
CREATE INDEX reservation_open ON warehouse.reservation (company_id, product_id, warehouse_id)
  WHERE state IN ('OPEN', 'PICKED');
CREATE INDEX reservation_document ON warehouse.reservation (company_id, document_type, document_id);
CREATE INDEX reservation_expiry ON warehouse.reservation (company_id, expires_at) WHERE held > 0 AND expires_at IS NOT NULL;
-- The list shows the first twenty of very many: the newest, with or without a state, or of one product; or those who hold
-- most. It asks for empty values last, which an index read backwards does not give.
CREATE INDEX reservation_time ON warehouse.reservation (company_id, created_at DESC, id DESC);
CREATE INDEX reservation_state ON warehouse.reservation (company_id, state, created_at DESC, id DESC);
CREATE INDEX reservation_product ON warehouse.reservation (company_id, product_id, created_at DESC);
CREATE INDEX reservation_held ON warehouse.reservation (company_id, held DESC NULLS LAST, id DESC);
CALL kit.tenant_table('warehouse.reservation');

-- What a posting did to reservations, so that it can be taken back.
CREATE TABLE warehouse.reservation_move (
  company_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  reservation_id uuid NOT NULL,
  reserved int NOT NULL,
  shipped int NOT NULL,
  released int NOT NULL,
  PRIMARY KEY (company_id, posting_id, reservation_id)
);
CREATE INDEX reservation_move_reservation ON warehouse.reservation_move (company_id, reservation_id);
CALL kit.tenant_table('warehouse.reservation_move', append_only => true);

-- The cost of stock

-- Layers keep pieces, ages and origins, and are taken oldest first whatever the valuation; it says what pieces cost:
--
-- FIFO: what their layer is worth.
--
-- AVERAGE, moving: all open layers of a product in a warehouse cost the same a piece. Whatever changes their pieces or
-- their value levels them: each has its share of the whole by pieces, to the last unit, so that the whole is never changed.
-- What is on its way keeps the cost of its own document until it arrives.
--
-- MONTHLY, by the weighted average of a month: while the month is open its issues cost what FIFO says, which is
-- provisional. Its closing computes one price for each product and warehouse (what was there and what came, by value and by
-- pieces), gives every issue of the month that price, and leaves the rest to the pieces that stay, to the last unit. What
-- an issue handed on (a transfer, a swap, parts of a set) takes its correction along, pool after pool.

-- What the pieces of one receipt cost and how old they are. Layers belong to a product, a warehouse, a lot and to either
-- what is there or what is still on its way; a transfer makes children with the first day of their parents. All amounts
-- are CNY.
CREATE TABLE warehouse.cost_layer (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  in_transit boolean NOT NULL,
  cost_pool_id uuid NOT NULL,
  source_posting_id uuid NOT NULL,
  source_move int NOT NULL,
  parent_layer_id uuid,
  received_at timestamptz NOT NULL,
  -- day of the first receipt: transfers and swaps keep it
  original_date date NOT NULL,
  qty_in int NOT NULL CHECK (qty_in > 0),
  qty_remaining int NOT NULL CHECK (qty_remaining BETWEEN 0 AND qty_in),
  amount_in numeric(18, 4) NOT NULL,
  -- what levelling and closings brought to the layer (or took from it):
  -- amount_in + levelled + restated - consumed = amount_remaining
  levelled numeric(18, 4) NOT NULL DEFAULT 0,
  restated numeric(18, 4) NOT NULL DEFAULT 0,
  amount_remaining numeric(18, 4) NOT NULL,
  -- of amount_in: { purchase, localFreight, firstLeg, duty, processing, placement, other }; null is all purchase
  components jsonb,
  cost_state text NOT NULL CHECK (cost_state IN ('ESTIMATED', 'FINAL')),
  -- kept beside the quantity so that taking a part of a layer touches no index
  open boolean NOT NULL DEFAULT true,
  PRIMARY KEY (company_id, id),
  CHECK (open = (qty_remaining > 0)),
  CHECK (qty_remaining > 0 OR amount_remaining = 0)
) WITH (fillfactor = 80);
CREATE INDEX cost_layer_open ON warehouse.cost_layer
  (company_id, product_id, warehouse_id, lot_id, in_transit, original_date, id) WHERE open;
CREATE INDEX cost_layer_product ON warehouse.cost_layer (company_id, product_id, id);
-- A posting of many lines has many layers: those that a line made are found without reading the others.
CREATE INDEX cost_layer_source ON warehouse.cost_layer (company_id, source_posting_id, parent_layer_id);
CREATE INDEX cost_layer_parent ON warehouse.cost_layer (company_id, parent_layer_id) WHERE parent_layer_id IS NOT NULL;
-- Lists of what is there by the day of its first receipt, and of the oldest first: an age is the distance of its day from
-- any fixed one.
CREATE INDEX cost_layer_age ON warehouse.cost_layer (company_id, original_date, id) WHERE open;
CREATE INDEX cost_layer_oldest ON warehouse.cost_layer
  (company_id, (DATE '2000-01-01' - original_date) DESC NULLS LAST, id DESC) WHERE open;
CALL kit.tenant_table('warehouse.cost_layer');

-- Which pieces of which layers a posting took; negative where a reversal gave them back.
CREATE TABLE warehouse.layer_consumption (
  company_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  move_no int NOT NULL,
  layer_id uuid NOT NULL,
  posted_at timestamptz NOT NULL,
  qty int NOT NULL CHECK (qty <> 0),
  amount numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, posting_id, move_no, layer_id, posted_at)
) PARTITION BY RANGE (posted_at);
CREATE INDEX layer_consumption_layer ON warehouse.layer_consumption (company_id, layer_id);
CALL kit.tenant_table('warehouse.layer_consumption', append_only => true);
CREATE TABLE warehouse.layer_consumption_other PARTITION OF warehouse.layer_consumption DEFAULT;
CALL kit.tenant_table('warehouse.layer_consumption_other', append_only => true);
REVOKE ALL ON warehouse.layer_consumption_other FROM erp_app;

-- One value that came late, and what became of it. What pieces cost is sometimes known only after they came: freight,
-- duty, a corrected price. The value goes where the pieces are now; what has left already keeps what it cost, and its share
-- is a difference of the open period. CNY; negative where a bill was too high.
CREATE TABLE warehouse.revaluation (
  company_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  -- the move whose pieces it is for; the number of the move in its posting
  origin_posting_id uuid NOT NULL,
  origin_move int NOT NULL,
  product_id uuid NOT NULL,
  -- where these pieces came in
  warehouse_id uuid NOT NULL,
  component text NOT NULL CHECK (component IN
    ('purchase', 'localFreight', 'firstLeg', 'duty', 'processing', 'placement', 'other')),
  business_date date NOT NULL,
  amount numeric(18, 4) NOT NULL CHECK (amount <> 0),
  to_layers numeric(18, 4) NOT NULL,
  variance numeric(18, 4) NOT NULL GENERATED ALWAYS AS (amount - to_layers) STORED,
  PRIMARY KEY (company_id, posting_id, origin_move),
  FOREIGN KEY (company_id, posting_id) REFERENCES warehouse.stock_posting,
  FOREIGN KEY (company_id, origin_posting_id) REFERENCES warehouse.stock_posting
);
CREATE INDEX revaluation_origin ON warehouse.revaluation (company_id, origin_posting_id);
CREATE INDEX revaluation_day ON warehouse.revaluation (company_id, business_date);
CALL kit.tenant_table('warehouse.revaluation', append_only => true);

-- One row per product and warehouse that is valued by moving average: whoever takes pieces out or brings some in holds it,
-- between balances and layers, so that no two level the same layers at once.
CREATE TABLE warehouse.average_pool (
  company_id uuid NOT NULL,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  held_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, product_id, warehouse_id)
) WITH (fillfactor = 70);
CALL kit.tenant_table('warehouse.average_pool');

-- What closings added to the cost of an issue. CNY; all rows of an issue together are its correction so far.
CREATE TABLE warehouse.issue_cost (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- the month whose cost it is
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  -- OUT: cost of what left the company. ON: handed on to other pieces, which carry it. CARRY: of no issue yet, because the
  -- pieces left in the month after; the closing of that month shares it out.
  kind text NOT NULL CHECK (kind IN ('OUT', 'ON', 'CARRY')),
  posting_id uuid,
  move_no int,
  layer_id uuid,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  amount numeric(18, 4) NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (company_id, id),
  CHECK ((kind = 'CARRY') = (posting_id IS NULL))
);
CREATE INDEX issue_cost_posting ON warehouse.issue_cost (company_id, posting_id) WHERE posting_id IS NOT NULL;
CREATE INDEX issue_cost_month ON warehouse.issue_cost (company_id, month, product_id, warehouse_id);
CALL kit.tenant_table('warehouse.issue_cost', append_only => true);

-- The price of a month: what a product in a warehouse was worth with all that came, and what its issues took of it.
CREATE TABLE warehouse.month_cost (
  company_id uuid NOT NULL,
  month date NOT NULL,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  amount numeric(18, 4) NOT NULL,
  issued_qty int NOT NULL,
  -- what the issues had cost before the first closing, and what they cost now
  provisional numeric(18, 4) NOT NULL,
  issued_amount numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, month, product_id, warehouse_id)
);
CALL kit.tenant_table('warehouse.month_cost');

-- What only the functions of the ledger write

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['stock_posting', 'stock_entry', 'stock_balance', 'daily_snapshot', 'snapshot_progress',
      'reservation', 'reservation_move', 'cost_layer', 'layer_consumption', 'revaluation', 'average_pool', 'issue_cost',
      'month_cost'] LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON warehouse.%I FROM erp_app', name);
    EXECUTE format('GRANT SELECT, INSERT ON warehouse.%I TO erp_ledger', name);
  END LOOP;
END $$;
GRANT UPDATE ON warehouse.stock_posting, warehouse.stock_balance, warehouse.daily_snapshot, warehouse.snapshot_progress,
  warehouse.reservation, warehouse.cost_layer, warehouse.average_pool, warehouse.month_cost TO erp_ledger;
-- A rebuild takes away what the entries do not say.
GRANT DELETE ON warehouse.daily_snapshot, warehouse.stock_balance TO erp_ledger;
-- Virtual warehouses and default lots come about when they are needed.
GRANT SELECT, INSERT ON warehouse.warehouse, warehouse.location, warehouse.lot TO erp_ledger;
GRANT SELECT ON warehouse.freeze, warehouse.inventory_period, warehouse.setting TO erp_ledger;

-- Documents

-- All kinds share one table: they have the same head, the same numbers and the same lists, and what differs between them
-- is what their lines mean.

-- How a company handles its documents; a company without a row does it by the defaults.
CREATE TABLE warehouse.document_setting (
  company_id uuid NOT NULL PRIMARY KEY,
  -- who made a document does not approve it, where somebody else could
  separate_approver boolean NOT NULL DEFAULT true,
  -- share of the ordered pieces that may come on top
  receive_tolerance numeric(5, 4) NOT NULL DEFAULT 0 CHECK (receive_tolerance BETWEEN 0 AND 1),
  -- for how long a document may hold stock; 0: for ever
  hold_days int NOT NULL DEFAULT 0 CHECK (hold_days BETWEEN 0 AND 365),
  -- a difference above both is counted again: share of the books, CNY
  recount_share numeric(5, 4) NOT NULL DEFAULT 0.02 CHECK (recount_share BETWEEN 0 AND 1),
  recount_amount numeric(18, 4) NOT NULL DEFAULT 200 CHECK (recount_amount >= 0)
);
CALL kit.tenant_table('warehouse.document_setting');

CREATE TABLE warehouse.document (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- overseas, 海外仓备货单: between two warehouses like a transfer, its pieces travel in boxes
  kind text NOT NULL CHECK (kind IN
    ('inbound', 'outbound', 'transfer', 'exchange', 'stocktake', 'assembly', 'overseas')),
  type text NOT NULL,
  number text NOT NULL,
  state text NOT NULL,
  version int NOT NULL DEFAULT 0,
  -- where it happens; between two warehouses, where the pieces leave
  warehouse_id uuid NOT NULL,
  to_warehouse_id uuid,
  -- supplier, receiver or customer, as people call them
  partner text NOT NULL DEFAULT '' CHECK (length(partner) <= 100),
  carrier text NOT NULL DEFAULT '' CHECK (length(carrier) <= 100),
  -- the carrier's product, as people call it
  channel text NOT NULL DEFAULT '' CHECK (length(channel) <= 100),
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  planned_on date,
  -- leaves the port, reaches the port
  departed_on date,
  landed_on date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  -- CNY; of an assembly `other_fee` is the work
  freight numeric(18, 4) NOT NULL DEFAULT 0 CHECK (freight >= 0),
  other_fee numeric(18, 4) NOT NULL DEFAULT 0 CHECK (other_fee >= 0),
  fee_split text NOT NULL DEFAULT 'NONE' CHECK (fee_split IN ('NONE', 'QTY', 'WEIGHT', 'VOLUME', 'MANUAL')),
  -- assembly: what is made or taken apart, and how many
  product_id uuid,
  qty int CHECK (qty > 0),
  -- stocktake
  mode text CHECK (mode IN ('FREEZE', 'LIVE')),
  blind boolean NOT NULL DEFAULT false,
  -- what is counted: { products: [], locations: [] }; empty lists narrow nothing
  scope jsonb NOT NULL DEFAULT '{}',
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, to_warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX document_list ON warehouse.document (company_id, kind, id DESC);
CREATE INDEX document_state ON warehouse.document (company_id, kind, state);
CREATE INDEX document_warehouse ON warehouse.document (company_id, warehouse_id);
CALL kit.tenant_table('warehouse.document');

-- A document between two warehouses belongs to the keepers of either.
DO $$
DECLARE
  action record;
  words text;
BEGIN
  FOR action IN SELECT * FROM (VALUES ('scope_read', 'read'), ('scope_insert', 'write'), ('scope_update', 'write'),
      ('scope_delete', 'write')) AS a(policy, side) LOOP
    words := format('(SELECT kit.reach(%1$L, ''warehouse'')) IS NULL
      OR warehouse_id = ANY ((SELECT kit.reach(%1$L, ''warehouse''))::uuid[])
      OR to_warehouse_id = ANY ((SELECT kit.reach(%1$L, ''warehouse''))::uuid[])', action.side);
    EXECUTE format('ALTER POLICY %I ON warehouse.document %s (%s)', action.policy,
      CASE WHEN action.policy IN ('scope_insert', 'scope_update') THEN 'WITH CHECK' ELSE 'USING' END, words);
  END LOOP;
END $$;

CREATE TABLE warehouse.document_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  document_id uuid NOT NULL,
  line_no int NOT NULL,
  product_id uuid NOT NULL,
  -- exchange: what it becomes
  to_product_id uuid,
  qty int NOT NULL DEFAULT 0 CHECK (qty >= 0),
  -- received, shipped, made
  done_qty int NOT NULL DEFAULT 0 CHECK (done_qty >= 0),
  -- what was missing at the shelf, or lost on the way
  short_qty int NOT NULL DEFAULT 0 CHECK (short_qty >= 0),
  lot_no text NOT NULL DEFAULT '' CHECK (length(lot_no) <= 60),
  expires_at date,
  lot_id uuid,
  location_id uuid,
  -- CNY a piece
  unit_cost numeric(18, 4) CHECK (unit_cost >= 0),
  -- CNY of the line: given for a manual split, else what the split came to
  fee numeric(18, 4) CHECK (fee >= 0),
  -- CNY, what the ledger moved
  amount numeric(18, 4),
  -- assembly: pieces for one of the main product
  qty_per numeric(12, 4) CHECK (qty_per > 0),
  -- stocktake: what the books said when it was counted, and up to which entry they were read
  book_qty int,
  book_seq bigint,
  counted_qty int CHECK (counted_qty >= 0),
  recount_qty int CHECK (recount_qty >= 0),
  skipped boolean NOT NULL DEFAULT false,
  -- the difference is large: it is counted again
  again boolean NOT NULL DEFAULT false,
  counted_by_name text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, document_id, line_no),
  FOREIGN KEY (company_id, document_id) REFERENCES warehouse.document ON DELETE CASCADE,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product,
  FOREIGN KEY (company_id, to_product_id) REFERENCES product.local_product
);
CREATE INDEX document_line_product ON warehouse.document_line (company_id, product_id);
CALL kit.tenant_table('warehouse.document_line');
CALL kit.data_scope_of('warehouse.document_line', 'warehouse.document', '{document_id}', '{id}');

-- Pieces of a transfer that are on their way, by lot.
CREATE TABLE warehouse.document_piece (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  line_id uuid NOT NULL,
  lot_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  received_qty int NOT NULL DEFAULT 0 CHECK (received_qty >= 0),
  PRIMARY KEY (company_id, line_id, lot_id),
  CHECK (received_qty <= qty),
  FOREIGN KEY (company_id, document_id) REFERENCES warehouse.document,
  FOREIGN KEY (company_id, line_id) REFERENCES warehouse.document_line
);
CREATE INDEX document_piece_document ON warehouse.document_piece (company_id, document_id);
CALL kit.tenant_table('warehouse.document_piece');
CALL kit.data_scope_of('warehouse.document_piece', 'warehouse.document', '{document_id}', '{id}');

-- Boxes of a 海外仓备货单.
CREATE TABLE warehouse.document_box (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  box_no int NOT NULL CHECK (box_no > 0),
  -- cm and kg, null where nobody measured it
  length numeric(8, 2) CHECK (length > 0),
  width numeric(8, 2) CHECK (width > 0),
  height numeric(8, 2) CHECK (height > 0),
  weight numeric(10, 3) CHECK (weight > 0),
  PRIMARY KEY (company_id, document_id, box_no),
  FOREIGN KEY (company_id, document_id) REFERENCES warehouse.document ON DELETE CASCADE
);
CALL kit.tenant_table('warehouse.document_box');
CALL kit.data_scope_of('warehouse.document_box', 'warehouse.document', '{document_id}', '{id}');

CREATE TABLE warehouse.document_box_item (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  box_no int NOT NULL,
  line_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  PRIMARY KEY (company_id, document_id, box_no, line_id),
  FOREIGN KEY (company_id, document_id, box_no) REFERENCES warehouse.document_box ON DELETE CASCADE,
  FOREIGN KEY (company_id, line_id) REFERENCES warehouse.document_line ON DELETE CASCADE
);
CREATE INDEX document_box_item_line ON warehouse.document_box_item (company_id, line_id);
CALL kit.tenant_table('warehouse.document_box_item');
CALL kit.data_scope_of('warehouse.document_box_item', 'warehouse.document', '{document_id}', '{id}');

-- What happened to a document that moved stock or was scanned: once per id that the client gave it.
CREATE TABLE warehouse.document_event (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  seq int NOT NULL,
  event text NOT NULL,
  client_id text CHECK (length(client_id) <= 100),
  posting_id uuid,
  at timestamptz NOT NULL DEFAULT kit.now(),
  by_name text NOT NULL,
  -- [{ line, qty, … }] as sent
  lines jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (company_id, document_id, seq),
  UNIQUE (company_id, document_id, client_id),
  FOREIGN KEY (company_id, document_id) REFERENCES warehouse.document,
  FOREIGN KEY (company_id, posting_id) REFERENCES warehouse.stock_posting
);
CALL kit.tenant_table('warehouse.document_event', append_only => true);
CALL kit.data_scope_of('warehouse.document_event', 'warehouse.document', '{document_id}', '{id}');

-- Opening stock that was read from a file and waits for the yes of whoever sent it.
CREATE TABLE warehouse.opening_import (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  file_name text NOT NULL,
  row_count int NOT NULL,
  posted_at timestamptz,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number)
);
CALL kit.tenant_table('warehouse.opening_import');

CREATE TABLE warehouse.opening_line (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line_no int NOT NULL,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  unit_cost numeric(18, 4) NOT NULL CHECK (unit_cost >= 0),
  first_day date NOT NULL,
  PRIMARY KEY (company_id, import_id, line_no),
  FOREIGN KEY (company_id, import_id) REFERENCES warehouse.opening_import
);
CALL kit.tenant_table('warehouse.opening_line');

-- Third-party warehouses -----------------------------------------------------------------------------------------------

-- What a third-party warehouse says that it holds: a mirror of its newest list. It is never written into the ledger; a
-- difference becomes an adjustment that a person asks for.
CREATE TABLE warehouse.external_stock (
  company_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  -- as the other side calls it
  sku text NOT NULL CHECK (length(sku) BETWEEN 1 AND 100),
  -- null while nobody knows which product it is
  product_id uuid,
  available int NOT NULL CHECK (available >= 0),
  -- promised to orders over there
  locked int NOT NULL CHECK (locked >= 0),
  -- announced to them and not there
  in_transit int NOT NULL CHECK (in_transit >= 0),
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, warehouse_id, sku),
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX external_stock_product ON warehouse.external_stock (company_id, warehouse_id, product_id);
CALL kit.tenant_table('warehouse.external_stock');
