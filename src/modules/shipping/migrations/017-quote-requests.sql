-- 物流询价: forwarders are asked what they would take for the goods of ship orders that have not left. All of its orders leave
-- one warehouse for one country.
CREATE TABLE shipping.quote_request (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  state text NOT NULL CHECK (state IN ('asking', 'chosen', 'booked', 'closed')),
  version int NOT NULL DEFAULT 0,
  warehouse_id uuid NOT NULL,
  -- stores of its orders: whoever lacks one of them does not see the request
  account_ids uuid[] NOT NULL CHECK (cardinality(account_ids) > 0),
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  postal_code text NOT NULL DEFAULT '' CHECK (length(postal_code) <= 20),
  -- null: however the forwarder likes
  mode text CHECK (mode IN ('SEA', 'AIR', 'EXPRESS', 'RAIL', 'TRUCK')),
  -- cm³ for one kg
  divisor int NOT NULL CHECK (divisor BETWEEN 1000 AND 10000),
  -- day from which the goods can be fetched
  ready_on date,
  -- company day until whose end answers are awaited
  until date NOT NULL,
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse
);
CREATE INDEX quote_request_list ON shipping.quote_request (company_id, id DESC);
CREATE INDEX quote_request_state ON shipping.quote_request (company_id, state, id DESC) INCLUDE (until);
CREATE INDEX quote_request_until ON shipping.quote_request (company_id, until) WHERE state = 'asking';
CREATE INDEX quote_request_number ON shipping.quote_request (company_id, number text_pattern_ops);
CREATE INDEX quote_request_warehouse ON shipping.quote_request (company_id, warehouse_id);
CREATE INDEX ship_order_number_text ON shipping.ship_order (company_id, number text_pattern_ops);
CALL kit.tenant_table('shipping.quote_request');
CALL kit.data_scope('shipping.quote_request', 'warehouse', 'warehouse_id');

DO $$
DECLARE
  action record;
  words text;
BEGIN
  FOR action IN SELECT * FROM (VALUES ('scope_read', 'read'), ('scope_insert', 'write'), ('scope_update', 'write'),
      ('scope_delete', 'write')) AS a(policy, side) LOOP
    words := format('((SELECT kit.reach(%1$L, ''account'')) IS NULL
      OR account_ids <@ ((SELECT kit.reach(%1$L, ''account''))::uuid[]))
      AND ((SELECT kit.reach(%1$L, ''warehouse'')) IS NULL
      OR warehouse_id = ANY ((SELECT kit.reach(%1$L, ''warehouse''))::uuid[]))', action.side);
    EXECUTE format('ALTER POLICY %I ON shipping.quote_request %s (%s)', action.policy,
      CASE WHEN action.policy IN ('scope_insert', 'scope_update') THEN 'WITH CHECK' ELSE 'USING' END, words);
  END LOOP;
END $$;

-- Forwarders that are asked.
CREATE TABLE shipping.quote_ask (
  company_id uuid NOT NULL,
  request_id uuid NOT NULL,
  carrier_id uuid NOT NULL,
  PRIMARY KEY (company_id, request_id, carrier_id),
  FOREIGN KEY (company_id, request_id) REFERENCES shipping.quote_request,
  FOREIGN KEY (company_id, carrier_id) REFERENCES shipping.carrier
);
CREATE INDEX quote_ask_carrier ON shipping.quote_ask (company_id, carrier_id);
CALL kit.tenant_table('shipping.quote_ask');
CALL kit.data_scope_of('shipping.quote_ask', 'shipping.quote_request', '{request_id}', '{id}');

-- What a forwarder answered. Another round for the same way takes its place and leaves it as it was.
CREATE TABLE shipping.quote_answer (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  request_id uuid NOT NULL,
  carrier_id uuid NOT NULL,
  channel_id uuid,
  mode text NOT NULL CHECK (mode IN ('SEA', 'AIR', 'EXPRESS', 'RAIL', 'TRUCK')),
  round int NOT NULL CHECK (round > 0),
  bill_unit text NOT NULL CHECK (bill_unit IN ('KG', 'CBM', 'BOX')),
  -- in that unit, as the forwarder reckons
  quantity numeric(12, 3) NOT NULL CHECK (quantity > 0),
  price numeric(18, 6) NOT NULL CHECK (price > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  freight numeric(18, 2) NOT NULL CHECK (freight >= 0),
  tax numeric(18, 2) NOT NULL CHECK (tax >= 0),
  other_fee numeric(18, 2) NOT NULL CHECK (other_fee >= 0),
  total numeric(18, 2) NOT NULL,
  -- by the rate of the day on which it was written down; null while there is none
  total_cny numeric(18, 2),
  answered_on date NOT NULL,
  days int CHECK (days > 0),
  -- the last day on which it may be chosen; null: nobody said
  valid_until date,
  -- it came after the day until which answers were awaited
  late boolean NOT NULL,
  superseded boolean NOT NULL DEFAULT false,
  origin text NOT NULL CHECK (origin IN ('manual', 'import')),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  CONSTRAINT quote_adds_up CHECK (total = freight + tax + other_fee),
  FOREIGN KEY (company_id, request_id, carrier_id) REFERENCES shipping.quote_ask,
  FOREIGN KEY (company_id, channel_id) REFERENCES shipping.channel
);
CREATE UNIQUE INDEX quote_answer_one ON shipping.quote_answer
  (company_id, request_id, carrier_id, channel_id, mode) NULLS NOT DISTINCT WHERE NOT superseded;
CREATE INDEX quote_answer_request ON shipping.quote_answer (company_id, request_id);
CALL kit.tenant_table('shipping.quote_answer');
CALL kit.data_scope_of('shipping.quote_answer', 'shipping.quote_request', '{request_id}', '{id}');

-- 订舱: an answer that was chosen, and what the forwarder said of the booking.
CREATE TABLE shipping.quote_booking (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  request_id uuid NOT NULL,
  answer_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'booked', 'cancelled')),
  booking_no text NOT NULL DEFAULT '' CHECK (length(booking_no) <= 60),
  -- last days on which the forwarder and the port take the goods
  cargo_cutoff date,
  port_cutoff date,
  handover text CHECK (handover IN ('PICKUP', 'HAND_IN')),
  handover_on date,
  place text NOT NULL DEFAULT '' CHECK (length(place) <= 200),
  vessel text NOT NULL DEFAULT '' CHECK (length(vessel) <= 100),
  contact text NOT NULL DEFAULT '' CHECK (length(contact) <= 100),
  remark text NOT NULL DEFAULT '' CHECK (length(remark) <= 500),
  cancelled_why text NOT NULL DEFAULT '' CHECK (length(cancelled_why) <= 200),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  created_by_name text NOT NULL DEFAULT '',
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  CONSTRAINT booked_by_number CHECK (state <> 'booked' OR booking_no <> ''),
  FOREIGN KEY (company_id, request_id) REFERENCES shipping.quote_request,
  FOREIGN KEY (company_id, answer_id) REFERENCES shipping.quote_answer
);
CREATE UNIQUE INDEX quote_booking_one ON shipping.quote_booking (company_id, request_id) WHERE state <> 'cancelled';
CREATE INDEX quote_booking_request ON shipping.quote_booking (company_id, request_id);
CREATE INDEX quote_booking_answer ON shipping.quote_booking (company_id, answer_id);
CREATE INDEX quote_booking_no ON shipping.quote_booking (company_id, booking_no text_pattern_ops) WHERE booking_no <> '';
CALL kit.tenant_table('shipping.quote_booking');
CALL kit.data_scope_of('shipping.quote_booking', 'shipping.quote_request', '{request_id}', '{id}');

-- Ship orders that forwarders are asked for, with their goods as they were then.
CREATE TABLE shipping.quote_request_order (
  company_id uuid NOT NULL,
  request_id uuid NOT NULL,
  order_id uuid NOT NULL,
  line_no int NOT NULL CHECK (line_no > 0),
  center text NOT NULL DEFAULT '' CHECK (length(center) <= 100),
  boxes int NOT NULL CHECK (boxes >= 0),
  pieces int NOT NULL CHECK (pieces >= 0),
  -- kg and m³; null where a part was not measured
  weight numeric(12, 3),
  volumetric numeric(12, 2),
  volume numeric(12, 3),
  -- reckoned from products, not from boxes that are packed
  estimated boolean NOT NULL,
  -- boxes of one size: count, length, width, height in cm, weight in kg
  specs jsonb NOT NULL,
  -- set while an answer is chosen: what of it is the order's, in its currency, and how the order was to go before
  booking_id uuid,
  freight numeric(18, 2) CHECK (freight >= 0),
  tax numeric(18, 2) CHECK (tax >= 0),
  other_fee numeric(18, 2) CHECK (other_fee >= 0),
  quantity numeric(12, 3) CHECK (quantity >= 0),
  was_carrier text,
  was_channel_id uuid,
  was_transport text,
  PRIMARY KEY (company_id, request_id, order_id),
  FOREIGN KEY (company_id, request_id) REFERENCES shipping.quote_request,
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order,
  FOREIGN KEY (company_id, booking_id) REFERENCES shipping.quote_booking,
  FOREIGN KEY (company_id, was_channel_id) REFERENCES shipping.channel
);
CREATE INDEX quote_request_order_order ON shipping.quote_request_order (company_id, order_id);
-- One way for one order.
CREATE UNIQUE INDEX quote_request_order_chosen ON shipping.quote_request_order (company_id, order_id)
  WHERE booking_id IS NOT NULL;
CREATE INDEX quote_request_order_booking ON shipping.quote_request_order (company_id, booking_id)
  WHERE booking_id IS NOT NULL;
CALL kit.tenant_table('shipping.quote_request_order');
CALL kit.data_scope_of('shipping.quote_request_order', 'shipping.quote_request', '{request_id}', '{id}');

-- An estimate by what a forwarder answered, not by a price card.
ALTER TABLE shipping.freight_charge ADD COLUMN answer_id uuid,
  ADD FOREIGN KEY (company_id, answer_id) REFERENCES shipping.quote_answer;
CREATE INDEX freight_charge_answer ON shipping.freight_charge (company_id, answer_id) WHERE answer_id IS NOT NULL;
