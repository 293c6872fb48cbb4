-- Whom a carrier's bills are paid to: finance knows suppliers alone.
ALTER TABLE shipping.carrier ADD COLUMN supplier_id uuid,
  ADD FOREIGN KEY (company_id, supplier_id) REFERENCES supplier.supplier;
CREATE INDEX carrier_supplier ON shipping.carrier (company_id, supplier_id) WHERE supplier_id IS NOT NULL;

-- The channel that an order is booked with; `carrier` keeps its name as it was then.
ALTER TABLE shipping.ship_order ADD COLUMN channel_id uuid,
  ADD FOREIGN KEY (company_id, channel_id) REFERENCES shipping.channel;
CREATE INDEX ship_order_channel ON shipping.ship_order (company_id, channel_id) WHERE channel_id IS NOT NULL;
CREATE INDEX ship_order_tracking ON shipping.ship_order (company_id, tracking_no) WHERE tracking_no <> '';
CREATE INDEX ship_order_shipped ON shipping.ship_order (company_id, shipped_at DESC) WHERE shipped_at IS NOT NULL;

-- How bills are shared unless they say otherwise, and from which share of the estimate on a bill is told to differ.
CREATE TABLE shipping.freight_setting (
  company_id uuid NOT NULL,
  base text NOT NULL CHECK (base IN ('BILLABLE', 'WEIGHT', 'VOLUME', 'PIECES', 'VALUE')),
  threshold numeric(5, 4) NOT NULL CHECK (threshold BETWEEN 0 AND 1),
  PRIMARY KEY (company_id)
);
CALL kit.tenant_table('shipping.freight_setting');

-- 物流账单: what a carrier asks for ship orders.
CREATE TABLE shipping.freight_bill (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('draft', 'pending', 'confirmed', 'cancelled', 'reversed')),
  version int NOT NULL DEFAULT 0,
  carrier_id uuid NOT NULL,
  -- the number that the carrier gave it
  bill_no text NOT NULL CHECK (length(bill_no) BETWEEN 1 AND 60 AND bill_no = btrim(bill_no)),
  day date NOT NULL,
  due_on date,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- sum of its lines, and what it was worth in CNY when it was confirmed
  amount numeric(18, 2) NOT NULL CHECK (amount > 0),
  rate numeric(18, 10) CHECK (rate > 0),
  amount_cny numeric(18, 2),
  base text NOT NULL CHECK (base IN ('BILLABLE', 'WEIGHT', 'VOLUME', 'PIECES', 'VALUE')),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  confirmed_by_name text,
  confirmed_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  CONSTRAINT worth_at_a_rate CHECK ((rate IS NULL) = (amount_cny IS NULL)),
  FOREIGN KEY (company_id, carrier_id) REFERENCES shipping.carrier
);
CREATE UNIQUE INDEX freight_bill_once ON shipping.freight_bill (company_id, carrier_id, lower(bill_no))
  WHERE state NOT IN ('cancelled', 'reversed');
CREATE INDEX freight_bill_list ON shipping.freight_bill (company_id, id DESC);
CREATE INDEX freight_bill_state ON shipping.freight_bill (company_id, state, id DESC);
CALL kit.tenant_table('shipping.freight_bill');

-- 头程费用: an amount for one ship order, either as its channel's price card estimates it or as a bill says.
CREATE TABLE shipping.freight_charge (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  order_id uuid NOT NULL,
  -- of the estimate: none
  bill_id uuid,
  line_no int NOT NULL CHECK (line_no > 0),
  -- what the carrier called the order by: our number, the shipment's or a tracking number
  reference text NOT NULL DEFAULT '' CHECK (length(reference) <= 100),
  shipment_no text NOT NULL DEFAULT '' CHECK (length(shipment_no) <= 30),
  kind text NOT NULL CHECK (kind IN ('FREIGHT', 'DUTY', 'CUSTOMS', 'SURCHARGE', 'OTHER')),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount numeric(18, 2) NOT NULL CHECK (amount > 0),
  rate numeric(18, 10) CHECK (rate > 0),
  rate_day date,
  -- null while there is no rate
  amount_cny numeric(18, 2),
  -- kg or m³ that were paid for, as the carrier says or as the estimate reckons
  billed_weight numeric(12, 3) CHECK (billed_weight > 0),
  -- the card that an estimate was worked out by
  version_id uuid,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 200),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE NULLS NOT DISTINCT (company_id, order_id, bill_id, line_no),
  CONSTRAINT charge_worth_at_a_rate CHECK ((rate IS NULL) = (amount_cny IS NULL)),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order,
  FOREIGN KEY (company_id, bill_id) REFERENCES shipping.freight_bill,
  FOREIGN KEY (company_id, version_id) REFERENCES shipping.price_version
);
CREATE INDEX freight_charge_bill ON shipping.freight_charge (company_id, bill_id, line_no);
CALL kit.tenant_table('shipping.freight_charge');
CALL kit.data_scope_of('shipping.freight_charge', 'shipping.ship_order', '{order_id}', '{id}');

-- Shares of charges that went to the lines of an order, by the move that took the pieces to Amazon. Each bill that is
-- confirmed or taken back brings an order's shares to those of what is billed of it then, and writes what they changed by.
CREATE TABLE shipping.freight_share (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  bill_id uuid NOT NULL,
  event text NOT NULL CHECK (event IN ('confirm', 'reverse')),
  order_id uuid NOT NULL,
  line_id uuid NOT NULL,
  -- place of the move in the posting of the order's dispatch, from 0; null where it moved no stock of ours
  move int CHECK (move >= 0),
  component text NOT NULL CHECK (component IN ('firstLeg', 'duty')),
  base text NOT NULL CHECK (base IN ('BILLABLE', 'WEIGHT', 'VOLUME', 'PIECES', 'VALUE')),
  -- CNY
  amount numeric(18, 4) NOT NULL CHECK (amount <> 0),
  to_layers numeric(18, 4) NOT NULL,
  variance numeric(18, 4) NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CONSTRAINT placed_whole CHECK (move IS NULL AND to_layers = 0 AND variance = 0
    OR move IS NOT NULL AND to_layers + variance = amount),
  FOREIGN KEY (company_id, bill_id) REFERENCES shipping.freight_bill,
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order,
  FOREIGN KEY (company_id, line_id) REFERENCES shipping.ship_order_line
);
CREATE INDEX freight_share_bill ON shipping.freight_share (company_id, bill_id);
CREATE INDEX freight_share_order ON shipping.freight_share (company_id, order_id, component, base);
CREATE INDEX freight_share_line ON shipping.freight_share (company_id, line_id);
CALL kit.tenant_table('shipping.freight_share', append_only => true);
CALL kit.data_scope_of('shipping.freight_share', 'shipping.ship_order', '{order_id}', '{id}');

-- What the freight of a line comes to: kg that its pieces are billed with, CNY as estimated and as billed.
CREATE TABLE shipping.freight_line (
  company_id uuid NOT NULL,
  line_id uuid NOT NULL,
  order_id uuid NOT NULL,
  billable numeric(18, 6),
  estimated numeric(18, 2),
  billed numeric(18, 2) NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, line_id),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order,
  FOREIGN KEY (company_id, line_id) REFERENCES shipping.ship_order_line ON DELETE CASCADE
);
CREATE INDEX freight_line_order ON shipping.freight_line (company_id, order_id);
CALL kit.tenant_table('shipping.freight_line');
CALL kit.data_scope_of('shipping.freight_line', 'shipping.ship_order', '{order_id}', '{id}');
