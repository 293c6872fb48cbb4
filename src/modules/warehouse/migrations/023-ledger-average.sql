-- Valuation by moving average: layers keep pieces, ages and origins as they do for first in, first out, but all open layers
-- of a product in a warehouse cost the same a piece. Whatever changes their pieces or their value levels them: each has its
-- share of the whole by pieces, to the last unit, so that the whole is never changed. What is on its way keeps the cost of
-- its own document until it arrives.

ALTER TABLE warehouse.setting
  ADD COLUMN valuation text NOT NULL DEFAULT 'FIFO' CHECK (valuation IN ('FIFO', 'AVERAGE')),
  -- the method chosen last, and the first day of the period from which it holds
  ADD COLUMN next_valuation text CHECK (next_valuation IN ('FIFO', 'AVERAGE')),
  ADD COLUMN next_from date CHECK (next_from = date_trunc('month', next_from)::date),
  ADD CHECK ((next_valuation IS NULL) = (next_from IS NULL));

-- What levelling brought to the layer (or took from it): amount_in + levelled - consumed = amount_remaining.
ALTER TABLE warehouse.cost_layer ADD COLUMN levelled numeric(18, 4) NOT NULL DEFAULT 0;

-- One row per product and warehouse that is valued by average: whoever takes pieces out or brings some in holds it, between
-- balances and layers, so that no two level the same layers at once.
CREATE TABLE warehouse.average_pool (
  company_id uuid NOT NULL,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  held_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, product_id, warehouse_id)
) WITH (fillfactor = 70);
CALL kit.tenant_table('warehouse.average_pool');
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON warehouse.average_pool FROM erp_app;
GRANT SELECT, INSERT, UPDATE ON warehouse.average_pool TO erp_ledger;

-- Whether the company values its stock by moving average today.
CREATE FUNCTION warehouse.averages(company uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN coalesce((SELECT CASE WHEN next_from <= warehouse.today() THEN next_valuation ELSE valuation END = 'AVERAGE'
                     FROM warehouse.setting WHERE company_id = company), false);
END $$;

-- Holds pools until the end of the transaction, in one order; (products[i], houses[i]) is one of them.
CREATE FUNCTION warehouse.hold_pools(company uuid, products uuid[], houses uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO warehouse.average_pool AS a (company_id, product_id, warehouse_id)
  SELECT DISTINCT company, x.p, x.w FROM unnest(products, houses) AS x(p, w) ORDER BY 2, 3
  ON CONFLICT (company_id, product_id, warehouse_id) DO UPDATE SET held_at = kit.now();
END $$;

-- Gives every open layer of a pool its share by pieces of what they are worth together. Layers that have it stay as they are.
CREATE FUNCTION warehouse.level(company uuid, products uuid[], houses uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH pool AS (
    SELECT DISTINCT x.p, x.w FROM unnest(products, houses) AS x(p, w)
  ), locked AS MATERIALIZED (
    SELECT l.id, l.product_id, l.warehouse_id, l.original_date, l.qty_remaining AS q, l.amount_remaining AS a
      FROM pool JOIN warehouse.cost_layer AS l
        ON l.company_id = company AND l.product_id = pool.p AND l.warehouse_id = pool.w AND NOT l.in_transit AND l.open
     ORDER BY l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.original_date, l.id FOR UPDATE OF l
  ), share AS (
    SELECT id, a, round(sum(a) OVER whole * sum(q) OVER upto / sum(q) OVER whole, 4)
             - round(sum(a) OVER whole * (sum(q) OVER upto - q) / sum(q) OVER whole, 4) AS fair
      FROM locked
    WINDOW whole AS (PARTITION BY product_id, warehouse_id),
           upto AS (PARTITION BY product_id, warehouse_id ORDER BY original_date, id)
  )
  UPDATE warehouse.cost_layer AS l SET amount_remaining = s.fair, levelled = l.levelled + s.fair - s.a
    FROM share AS s WHERE l.company_id = company AND l.id = s.id AND s.fair <> s.a;
END $$;

-- Gives the layers that a posting made the value back that they came with, so that the posting can be taken back to the
-- last unit; what levelling had moved stays with the other pieces of the pool. Refused where no other piece is left to bear it.
CREATE FUNCTION warehouse.unlevel(company uuid, origin uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  alone boolean;
BEGIN
  WITH own AS (
    UPDATE warehouse.cost_layer AS l SET amount_remaining = l.amount_remaining - l.levelled, levelled = 0
     WHERE l.company_id = company AND l.source_posting_id = origin AND l.qty_remaining = l.qty_in AND l.levelled <> 0
    RETURNING l.product_id AS p, l.warehouse_id AS w, old.levelled AS a
  ), owed AS (
    SELECT p, w, sum(a) AS a FROM own GROUP BY 1, 2 HAVING sum(a) <> 0
  ), heir AS (
    SELECT DISTINCT ON (o.p, o.w) o.a, l.id
      FROM owed AS o JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.product_id = o.p AND l.warehouse_id = o.w
       AND NOT l.in_transit AND l.open AND l.source_posting_id <> origin
     ORDER BY o.p, o.w, l.original_date, l.id
  ), given AS (
    UPDATE warehouse.cost_layer AS l SET amount_remaining = l.amount_remaining + h.a, levelled = l.levelled + h.a
      FROM heir AS h WHERE l.company_id = company AND l.id = h.id
  )
  SELECT (SELECT count(*) FROM owed) > (SELECT count(*) FROM heir) INTO alone;
  IF alone THEN
    PERFORM warehouse.refuse_averaged();
  END IF;
END $$;

CREATE FUNCTION warehouse.refuse_averaged() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM warehouse.refuse('WH007', '该单据的成本已按移动加权计入之后的出库，不能撤销，请另开单据调整');
END $$;

-- As before, and levels what it touched.
CREATE OR REPLACE FUNCTION warehouse.post(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  moves warehouse.move[];
  posting uuid;
  day date := coalesce((event->>'date')::date, warehouse.today());
  today date;
  moment timestamptz;
  legs warehouse.cell[];
  cells warehouse.cell[];
  taken numeric[];
  given numeric[];
  products uuid[];
  houses uuid[];
BEGIN
  INSERT INTO warehouse.stock_posting (company_id, source_type, source_id, source_event, event_seq, source_number,
    business_date, operator_id, operator_name, note)
  VALUES (company, event->>'type', event->>'id', event->>'event', (event->>'seq')::int, event->>'number', day,
    (event->>'operatorId')::uuid, event->>'operator', event->>'note')
  ON CONFLICT (company_id, source_type, source_id, source_event, event_seq) DO NOTHING
  RETURNING id INTO posting;
  IF posting IS NULL THEN
    SELECT id INTO posting FROM warehouse.stock_posting
     WHERE company_id = company AND source_type = event->>'type' AND source_id = event->>'id'
       AND source_event = event->>'event' AND event_seq = (event->>'seq')::int;
    RETURN jsonb_build_object('id', posting, 'repeated', true);
  END IF;
  -- Counts and period ends take the gate alone; postings share it.
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  IF NOT EXISTS (SELECT FROM warehouse.warehouse WHERE company_id = company AND id = warehouse.virtual_id(company, 'SUPPLIER')) THEN
    PERFORM warehouse.ensure_virtual();
  END IF;
  -- Plans are kept for the many documents of a few lines; the few of many lines are worth a plan of their own.
  IF jsonb_array_length(event->'moves') > 50 THEN
    PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
  END IF;
  moves := warehouse.moves_of(event->'moves');
  PERFORM warehouse.check_places(company, moves, event->>'type', event->>'id');
  INSERT INTO warehouse.lot (company_id, id, product_id, lot_no)
  SELECT DISTINCT company, m.p, m.p, '' FROM unnest(moves) AS m
   WHERE m.p IN (m.fb, m.tb) AND NOT EXISTS (SELECT FROM warehouse.lot WHERE company_id = company AND id = m.p)
   ORDER BY 2
  ON CONFLICT DO NOTHING;
  legs := warehouse.legs_of(moves);
  cells := warehouse.apply(company, legs);
  IF warehouse.lacks(legs, cells) THEN
    PERFORM warehouse.refuse_shortage(company, legs, cells);
  END IF;
  moment := kit.instant();
  today := (moment AT TIME ZONE 'Asia/Shanghai')::date;
  IF event->>'date' IS NULL AND day <> today THEN
    -- Midnight passed while the posting waited.
    day := today;
    UPDATE warehouse.stock_posting SET business_date = day WHERE company_id = company AND id = posting;
  END IF;
  IF day > today THEN
    PERFORM warehouse.refuse('WH005', '业务日期不能晚于今天');
  ELSIF day < today THEN
    IF today - day > (event->>'backdate')::int THEN
      PERFORM warehouse.refuse('WH005', CASE WHEN (event->>'backdate')::int = 0 THEN '没有补录历史日期单据的权限'
        ELSE format('业务日期最多可补录 %s 天', event->>'backdate') END);
    END IF;
    PERFORM warehouse.check_past(company, cells, day);
  END IF;
  IF EXISTS (SELECT FROM warehouse.inventory_period WHERE company_id = company AND state = 'CLOSED'
      AND month = date_trunc('month', day)::date) THEN
    PERFORM warehouse.refuse('WH005', '业务日期所在账期已关闭');
  END IF;
  IF warehouse.averages(company) THEN
    SELECT array_agg(x.p), array_agg(x.w) INTO products, houses FROM (
      SELECT p, fw AS w FROM unnest(moves) WHERE fs <> 'IN_TRANSIT' AND warehouse.leaves(fs, fw, fb, ts, tw, tb)
      UNION SELECT p, tw FROM unnest(moves) WHERE ts <> 'IN_TRANSIT' AND warehouse.leaves(ts, tw, tb, fs, fw, fb)) AS x;
    PERFORM warehouse.hold_pools(company, products, houses);
    -- The first posting after the method was chosen finds layers at prices of their own.
    PERFORM warehouse.level(company, products, houses);
  END IF;
  IF EXISTS (SELECT FROM unnest(moves) WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb)) THEN
    taken := warehouse.take_layers(company, posting, moment, moves);
  END IF;
  IF EXISTS (SELECT FROM unnest(moves) WHERE k IS NOT NULL AND fs IN ('OUTSIDE', 'EXPECTED')) THEN
    given := warehouse.make_layers(company, posting, moment, day, moves, taken);
  END IF;
  IF products IS NOT NULL THEN
    PERFORM warehouse.level(company, products, houses);
  END IF;
  IF event->'reservations' IS NOT NULL THEN
    INSERT INTO warehouse.reservation (company_id, id, document_type, document_id, line_id, document_number, product_id,
      warehouse_id, location_id, lot_id, expires_at)
    SELECT company, r.id, event->>'type', event->>'id', r.line, event->>'number', r.p, r.w, r.l, r.b, r.until
      FROM jsonb_to_recordset(event->'reservations') AS r(id uuid, line text, p uuid, w uuid, l uuid, b uuid, until timestamptz);
  END IF;
  IF EXISTS (SELECT FROM unnest(moves) WHERE 'RESERVED' IN (fs, ts)) THEN
    PERFORM warehouse.keep_reservations(company, posting, moves);
  END IF;
  PERFORM warehouse.write_entries(company, posting, moment, day, cells, moves, taken, given);
  RETURN jsonb_build_object('id', posting, 'repeated', false);
END $$;

-- Adds value to layers as before, and levels them.
ALTER FUNCTION warehouse.add_value(jsonb) RENAME TO raise_layers;
ALTER FUNCTION warehouse.raise_layers(jsonb) SECURITY INVOKER;

CREATE FUNCTION warehouse.add_value(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  answer jsonb := warehouse.raise_layers(event);
  products uuid[];
  houses uuid[];
BEGIN
  IF warehouse.averages(company) THEN
    -- The posting itself was made in this transaction, which therefore holds the pools already.
    SELECT array_agg(l.product_id), array_agg(l.warehouse_id) INTO products, houses FROM warehouse.cost_layer AS l
     WHERE l.company_id = company AND l.source_posting_id = (event->>'posting')::uuid AND NOT l.in_transit;
    PERFORM warehouse.hold_pools(company, products, houses);
    PERFORM warehouse.level(company, products, houses);
  END IF;
  RETURN answer;
END $$;

-- Adds value that comes late as before, to the pieces that came in with a posting, then levels the pools they lie in. It
-- takes the gate alone: pieces of one receipt may lie anywhere, also where no balance was when it began to lock them, so
-- that beside postings it would lock out of order and could miss pieces that a swap has just handed on.
ALTER FUNCTION warehouse.add_cost(jsonb) RENAME TO raise_family;
ALTER FUNCTION warehouse.raise_family(jsonb) SECURITY INVOKER;

CREATE FUNCTION warehouse.add_cost(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  answer jsonb;
  products uuid[];
  houses uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('warehouse.gate:' || company, 0));
  answer := warehouse.raise_family(event);
  IF warehouse.averages(company) THEN
    SELECT array_agg(l.product_id), array_agg(l.warehouse_id) INTO products, houses
      FROM warehouse.family_of(company, (event->>'posting')::uuid, event->'values') AS f
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = f.id AND NOT l.in_transit;
    PERFORM warehouse.level(company, products, houses);
  END IF;
  RETURN answer;
END $$;

-- Refuses where value came later to the layers that a posting made, by whatever way: a bill for the receipt whose pieces it
-- moved on, or freight. Its entries do not know of it, so that taking them back would lose it.
CREATE FUNCTION warehouse.check_value(company uuid, origin uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  later text;
BEGIN
  IF NOT EXISTS (
    SELECT FROM (
      SELECT product_id, warehouse_id, amount_in AS a FROM warehouse.cost_layer
       WHERE company_id = company AND source_posting_id = origin
      UNION ALL
      SELECT l.product_id, l.warehouse_id, -c.amount FROM warehouse.layer_consumption AS c
        JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = c.layer_id
       WHERE c.company_id = company AND c.posting_id = origin
      UNION ALL
      SELECT product_id, warehouse_id, -amount FROM warehouse.stock_entry
       WHERE company_id = company AND posting_id = origin AND status <> 'OUTSIDE') AS x
     GROUP BY product_id, warehouse_id HAVING sum(a) <> 0
  ) THEN
    RETURN;
  END IF;
  WITH RECURSIVE up AS (
    SELECT l.source_posting_id AS posting, l.parent_layer_id AS parent FROM warehouse.cost_layer AS l
     WHERE l.company_id = company AND l.source_posting_id = origin
    UNION
    SELECT l.source_posting_id, l.parent_layer_id FROM up JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = up.parent
  )
  SELECT p.source_number INTO later FROM up
    JOIN warehouse.revaluation AS r ON r.company_id = company AND r.origin_posting_id = up.posting
    JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = r.posting_id
   ORDER BY r.posting_id DESC LIMIT 1;
  PERFORM warehouse.refuse('WH007', format('该单据的成本已由 %s 补录，请先冲减', coalesce(later, '之后的费用')),
    CASE WHEN later IS NULL THEN '{}' ELSE jsonb_build_object('users', jsonb_build_array(later)) END);
END $$;

-- Takes a posting back as before; its layers leave with the value that they came with, and the others are levelled again.
ALTER FUNCTION warehouse.reverse(jsonb) RENAME TO take_back_unrevalued;
ALTER FUNCTION warehouse.take_back_unrevalued(jsonb) SECURITY INVOKER;

CREATE FUNCTION warehouse.reverse(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
  averages boolean := warehouse.averages(company);
  answer jsonb;
  products uuid[];
  houses uuid[];
BEGIN
  -- Gate, origin, balances, pools: the order of every posting. While the balances are held no value comes to these pieces.
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  PERFORM FROM warehouse.stock_posting WHERE company_id = company AND id = origin FOR UPDATE;
  PERFORM FROM warehouse.stock_balance AS h
     JOIN warehouse.stock_entry AS e ON e.company_id = company AND e.posting_id = origin
      AND (e.warehouse_id, e.product_id, e.location_id, e.lot_id, e.status) = (h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
    WHERE h.company_id = company
    ORDER BY h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id FOR UPDATE OF h;
  IF EXISTS (SELECT FROM warehouse.stock_posting WHERE company_id = company AND (reverses_id = origin OR id = origin AND reverses_id IS NOT NULL)) THEN
    RETURN warehouse.take_back_unrevalued(event);
  END IF;
  -- Layers may be level from a time when the method was another one.
  IF averages OR EXISTS (SELECT FROM warehouse.cost_layer WHERE company_id = company AND source_posting_id = origin AND levelled <> 0) THEN
    SELECT array_agg(e.product_id), array_agg(e.warehouse_id) INTO products, houses FROM warehouse.stock_entry AS e
     WHERE e.company_id = company AND e.posting_id = origin AND e.status NOT IN ('OUTSIDE', 'EXPECTED', 'IN_TRANSIT');
    PERFORM warehouse.hold_pools(company, products, houses);
    PERFORM warehouse.unlevel(company, origin);
  END IF;
  answer := warehouse.take_back_unrevalued(event);
  PERFORM warehouse.check_value(company, origin);
  IF averages THEN
    PERFORM warehouse.level(company, products, houses);
  END IF;
  IF EXISTS (SELECT FROM unnest(products, houses) AS x(p, w) JOIN warehouse.cost_layer AS l
      ON l.company_id = company AND l.product_id = x.p AND l.warehouse_id = x.w AND l.amount_remaining < 0) THEN
    PERFORM warehouse.refuse_averaged();
  END IF;
  RETURN answer;
END $$;

GRANT CREATE ON SCHEMA warehouse TO erp_ledger;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['averages(uuid)', 'hold_pools(uuid, uuid[], uuid[])', 'level(uuid, uuid[], uuid[])',
      'unlevel(uuid, uuid)', 'refuse_averaged()', 'check_value(uuid, uuid)', 'add_value(jsonb)', 'add_cost(jsonb)', 'reverse(jsonb)'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION warehouse.%s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION warehouse.%s OWNER TO erp_ledger', name);
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA warehouse FROM erp_ledger;
REVOKE ALL ON FUNCTION warehouse.raise_layers, warehouse.raise_family, warehouse.take_back_unrevalued FROM PUBLIC, erp_app;
GRANT EXECUTE ON FUNCTION warehouse.add_value, warehouse.add_cost, warehouse.reverse TO erp_app;
