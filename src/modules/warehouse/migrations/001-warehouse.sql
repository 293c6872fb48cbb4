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
  -- warehouses of one pool share an average price; by itself each is its own
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
  FOREIGN KEY (company_id, warehouse_id, parent_id) REFERENCES warehouse.location (company_id, warehouse_id, id)
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

-- How a company keeps stock; a company without a row keeps it by the defaults.
CREATE TABLE warehouse.setting (
  company_id uuid NOT NULL PRIMARY KEY,
  -- oldest first by day of first receipt, or by the order in which layers were written
  fifo_by text NOT NULL DEFAULT 'DATE' CHECK (fifo_by IN ('DATE', 'SEQUENCE')),
  backdate_days int NOT NULL DEFAULT 3 CHECK (backdate_days BETWEEN 0 AND 31),
  -- lots with less shelf life than that are not handed out
  shelf_life_days int NOT NULL DEFAULT 105 CHECK (shelf_life_days BETWEEN 0 AND 3650)
);
CALL kit.tenant_table('warehouse.setting');

-- Months that are done; a month without a row is open.
CREATE TABLE warehouse.inventory_period (
  company_id uuid NOT NULL,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  state text NOT NULL CHECK (state IN ('OPEN', 'CLOSED')),
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

-- From here on: what only the functions of the ledger write.

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
CALL kit.tenant_table('warehouse.stock_posting');

-- The ledger itself. No foreign keys: what a posting writes is bound by the keys of the balances that it moves.
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
  qty int NOT NULL CHECK (qty <> 0),
  balance_after int NOT NULL,
  -- null where the movement leaves the value where it is: a shelf, a reservation
  unit_cost numeric(20, 6),
  amount numeric(18, 4),
  PRIMARY KEY (company_id, seq, posted_at)
) PARTITION BY RANGE (posted_at);
CREATE INDEX stock_entry_product ON warehouse.stock_entry (company_id, product_id, warehouse_id, seq DESC);
CREATE INDEX stock_entry_posting ON warehouse.stock_entry (company_id, posting_id);
CREATE INDEX stock_entry_time ON warehouse.stock_entry USING brin (posted_at);
CALL kit.tenant_table('warehouse.stock_entry', append_only => true);

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
CREATE INDEX cost_layer_posting ON warehouse.cost_layer (company_id, source_posting_id);
CREATE INDEX cost_layer_product ON warehouse.cost_layer (company_id, product_id, id);
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
  state text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'PICKED', 'SHIPPED', 'RELEASED', 'EXPIRED')),
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  held int NOT NULL GENERATED ALWAYS AS (qty - shipped_qty - released_qty) STORED,
  PRIMARY KEY (company_id, id),
  CHECK (shipped_qty + released_qty <= qty),
  CHECK (picked_qty + released_qty <= qty)
);
CREATE INDEX reservation_open ON warehouse.reservation (company_id, product_id, warehouse_id)
  WHERE state IN ('OPEN', 'PICKED');
CREATE INDEX reservation_document ON warehouse.reservation (company_id, document_type, document_id);
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

-- Up to which transaction the snapshots of a company have followed the ledger.
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

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['stock_posting', 'stock_entry', 'stock_balance', 'cost_layer', 'layer_consumption',
      'reservation', 'reservation_move', 'daily_snapshot', 'snapshot_progress'] LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON warehouse.%I FROM erp_app', name);
    EXECUTE format('GRANT SELECT, INSERT ON warehouse.%I TO erp_ledger', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['stock_posting', 'stock_balance', 'cost_layer', 'reservation', 'snapshot_progress'] LOOP
    EXECUTE format('GRANT UPDATE ON warehouse.%I TO erp_ledger', name);
  END LOOP;
  -- A rebuild takes away what the entries do not say.
  GRANT DELETE ON warehouse.daily_snapshot, warehouse.stock_balance TO erp_ledger;
  GRANT SELECT, INSERT ON warehouse.warehouse, warehouse.location, warehouse.lot TO erp_ledger;
  GRANT SELECT ON warehouse.freeze, warehouse.inventory_period, warehouse.setting TO erp_ledger;
END $$;

-- Makes the partitions of the months from this one to three ahead. Runs as the owner of the tables; takes nothing from
-- its caller.
CREATE FUNCTION warehouse.make_months() RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  parent text;
  month date;
  name text;
  made int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('warehouse.make_months', 0));
  FOREACH parent IN ARRAY ARRAY['stock_entry', 'layer_consumption'] LOOP
    FOR ahead IN 0..3 LOOP
      month := (date_trunc('month', kit.now()) + make_interval(months => ahead))::date;
      name := format('%s_%s', parent, to_char(month, 'YYYYMM'));
      CONTINUE WHEN to_regclass('warehouse.' || name) IS NOT NULL;
      EXECUTE format('CREATE TABLE warehouse.%I PARTITION OF warehouse.%I FOR VALUES FROM (%L) TO (%L)',
        name, parent, month || ' 00:00+00', (month + interval '1 month')::date || ' 00:00+00');
      EXECUTE format('CALL kit.tenant_table(%L, append_only => true)', 'warehouse.' || name);
      EXECUTE format('REVOKE ALL ON warehouse.%I FROM erp_app', name);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END $$;
REVOKE ALL ON FUNCTION warehouse.make_months FROM PUBLIC;
GRANT EXECUTE ON FUNCTION warehouse.make_months TO erp_app;
SELECT warehouse.make_months();

-- For whatever no month takes.
CREATE TABLE warehouse.stock_entry_other PARTITION OF warehouse.stock_entry DEFAULT;
CREATE TABLE warehouse.layer_consumption_other PARTITION OF warehouse.layer_consumption DEFAULT;
CALL kit.tenant_table('warehouse.stock_entry_other', append_only => true);
CALL kit.tenant_table('warehouse.layer_consumption_other', append_only => true);
REVOKE ALL ON warehouse.stock_entry_other, warehouse.layer_consumption_other FROM erp_app;
