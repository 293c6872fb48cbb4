-- Documents of the warehouse. All kinds share one table: they have the same head, the same numbers and the same lists, and
-- what differs between them is what their lines mean.

CREATE TABLE warehouse.document (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  kind text NOT NULL CHECK (kind IN ('inbound', 'outbound', 'transfer', 'exchange', 'stocktake', 'assembly')),
  type text NOT NULL,
  number text NOT NULL,
  state text NOT NULL,
  version int NOT NULL DEFAULT 0,
  -- where it happens; of a transfer, where the pieces leave
  warehouse_id uuid NOT NULL,
  to_warehouse_id uuid,
  -- supplier, receiver or customer, as people call them
  partner text NOT NULL DEFAULT '' CHECK (length(partner) <= 100),
  carrier text NOT NULL DEFAULT '' CHECK (length(carrier) <= 100),
  tracking_no text NOT NULL DEFAULT '' CHECK (length(tracking_no) <= 100),
  planned_on date,
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

-- How a company handles its documents; a company without a row does it by the defaults.
CREATE TABLE warehouse.document_setting (
  company_id uuid NOT NULL PRIMARY KEY,
  -- who made a document does not approve it, where somebody else could
  separate_approver boolean NOT NULL DEFAULT true,
  -- share of the ordered pieces that may come on top
  receive_tolerance numeric(5, 4) NOT NULL DEFAULT 0 CHECK (receive_tolerance BETWEEN 0 AND 1),
  -- a difference above both is counted again: share of the books, CNY
  recount_share numeric(5, 4) NOT NULL DEFAULT 0.02 CHECK (recount_share BETWEEN 0 AND 1),
  recount_amount numeric(18, 4) NOT NULL DEFAULT 200 CHECK (recount_amount >= 0)
);
CALL kit.tenant_table('warehouse.document_setting');
