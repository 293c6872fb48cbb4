-- When the marketplace was first seen to have a shipment at its door, on its shelves, and closed; null where it was further on
-- than that when it was first seen.
ALTER TABLE shipping.fba_shipment
  ADD COLUMN delivered_at timestamptz,
  ADD COLUMN first_received_at timestamptz,
  ADD COLUMN closed_at timestamptz,
  -- people were told that it is gone though its pieces have left
  ADD COLUMN gone_told boolean NOT NULL DEFAULT false;
UPDATE shipping.fba_shipment SET closed_at = changed_at WHERE status = 'CLOSED' AND changed_at > first_seen_at;

-- Pieces that were lost, with their value (CNY) and the day of their first receipt, so that those found later come back as
-- they went; without a day neither is known.
ALTER TABLE shipping.ship_order_piece
  ADD COLUMN lost_qty int NOT NULL DEFAULT 0 CHECK (lost_qty >= 0),
  ADD COLUMN lost_value numeric(18, 4) NOT NULL DEFAULT 0 CHECK (lost_value >= 0),
  ADD COLUMN lost_since date,
  ADD CONSTRAINT came_lost_or_open CHECK (received_qty + lost_qty <= qty);
-- Until now an order that was done had lost all that had not come.
UPDATE shipping.ship_order_piece AS p SET lost_qty = p.qty - p.received_qty
  FROM shipping.ship_order AS o
 WHERE o.company_id = p.company_id AND o.id = p.order_id AND o.state = 'done';

-- 货件差异: pieces of one SKU that left in a shipment and were not received (SHORT), or were received beyond what left
-- (OVER), and what was claimed and paid for them.
CREATE TABLE shipping.discrepancy (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('found', 'toClaim', 'filed', 'partly', 'paid', 'refused', 'closed')),
  version int NOT NULL DEFAULT 0,
  kind text NOT NULL CHECK (kind IN ('SHORT', 'OVER')),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  order_id uuid NOT NULL,
  -- empty where the order named none
  shipment_no text NOT NULL,
  msku text NOT NULL,
  shipped int NOT NULL CHECK (shipped >= 0),
  received int NOT NULL CHECK (received >= 0),
  -- pieces that differ now, and those that turned up since
  qty int NOT NULL CHECK (qty >= 0),
  found_qty int NOT NULL DEFAULT 0 CHECK (found_qty >= 0),
  -- CNY, landed cost of the pieces that differ; null where nothing of ours was moved
  value numeric(18, 4),
  -- the company's day on which the marketplace closed the shipment: claims are taken from then on; null where nobody saw it
  closed_on date,
  cause text CHECK (cause IN ('AMAZON', 'SELLER', 'CARRIER')),
  -- the marketplace's number of the case
  case_no text NOT NULL DEFAULT '' CHECK (length(case_no) <= 30),
  filed_on date,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  UNIQUE (company_id, order_id, shipment_no, msku, kind),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order
);
CREATE INDEX discrepancy_list ON shipping.discrepancy (company_id, id DESC);
CREATE INDEX discrepancy_state ON shipping.discrepancy (company_id, state, id DESC);
CREATE INDEX discrepancy_sku ON shipping.discrepancy (company_id, account_id, msku);
CREATE INDEX discrepancy_shipment ON shipping.discrepancy (company_id, account_id, shipment_no);
CALL kit.tenant_table('shipping.discrepancy');
CALL kit.data_scope_of('shipping.discrepancy', 'shipping.ship_order', '{order_id}', '{id}');

-- What the marketplace paid for a discrepancy, by its own number of the payment; negative where it took a payment back.
CREATE TABLE shipping.claim_payment (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  discrepancy_id uuid NOT NULL,
  reimbursement_id text NOT NULL CHECK (length(reimbursement_id) BETWEEN 1 AND 60),
  -- the payment that this one takes back, else empty
  original_id text NOT NULL DEFAULT '',
  reason text NOT NULL DEFAULT '',
  qty int NOT NULL,
  amount numeric(20, 6) NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  paid_at timestamptz NOT NULL,
  -- somebody entered it; the marketplace's own row takes its place
  manual boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, discrepancy_id, reimbursement_id),
  FOREIGN KEY (company_id, discrepancy_id) REFERENCES shipping.discrepancy
);
CREATE INDEX claim_payment_id ON shipping.claim_payment (company_id, reimbursement_id);
CALL kit.tenant_table('shipping.claim_payment');
CALL kit.data_scope_of('shipping.claim_payment', 'shipping.discrepancy', '{discrepancy_id}', '{id}');

-- For how many days after closing a shipment the marketplace takes claims, where the company says otherwise than usual.
CREATE TABLE shipping.claim_window (
  company_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  days int NOT NULL CHECK (days BETWEEN 1 AND 730),
  PRIMARY KEY (company_id, marketplace_id)
);
CALL kit.tenant_table('shipping.claim_window');

-- Goods on the way are read without going through all that ever left; how long the ways take, by what left of late.
CREATE INDEX ship_order_line_away ON shipping.ship_order_line (company_id, order_id)
  WHERE shipped_qty > received_qty + lost_qty;
CREATE INDEX ship_order_left ON shipping.ship_order (company_id, shipped_at) WHERE shipped_at IS NOT NULL;
