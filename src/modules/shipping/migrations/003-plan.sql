-- How long goods take to reach Amazon by each way, and for how many days more there shall be stock; a way without a row
-- goes by the defaults.
CREATE TABLE shipping.plan_days (
  company_id uuid NOT NULL,
  transport text NOT NULL CHECK (transport IN ('SEA', 'AIR', 'EXPRESS', 'RAIL', 'TRUCK')),
  lead_days int NOT NULL CHECK (lead_days BETWEEN 0 AND 365),
  safety_days int NOT NULL CHECK (safety_days BETWEEN 0 AND 365),
  PRIMARY KEY (company_id, transport)
);
CALL kit.tenant_table('shipping.plan_days');

-- FBA发货规划: pieces of a listing that are to be sent. Open until they are handed in, which makes a ship order of them.
CREATE TABLE shipping.plan_item (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  msku text NOT NULL CHECK (length(msku) BETWEEN 1 AND 100),
  warehouse_id uuid NOT NULL,
  transport text NOT NULL CHECK (transport IN ('SEA', 'AIR', 'EXPRESS', 'RAIL', 'TRUCK')),
  qty int NOT NULL CHECK (qty > 0),
  -- what the planner was told to send; null where he was told nothing
  suggested_qty int CHECK (suggested_qty >= 0),
  planned_on date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'submitted')),
  -- number of the plan that it was handed in with, and the order that came of it
  batch text,
  order_id uuid,
  submitted_at timestamptz,
  version int NOT NULL DEFAULT 0,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT submitted_into_an_order CHECK ((state = 'submitted') = (num_nonnulls(batch, order_id, submitted_at) = 3)
    AND (state = 'submitted' OR num_nonnulls(batch, order_id, submitted_at) = 0)),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order
);
CREATE UNIQUE INDEX plan_item_once ON shipping.plan_item (company_id, account_id, marketplace_id, msku, transport, warehouse_id)
  WHERE state = 'open';
CREATE INDEX plan_item_order ON shipping.plan_item (company_id, order_id) WHERE order_id IS NOT NULL;
CALL kit.tenant_table('shipping.plan_item');
