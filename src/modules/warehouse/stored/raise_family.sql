-- Adds value to pieces that came in with a posting, wherever transfers and swaps have taken them; called by add_cost(),
-- with the same `event` and answer. A value is shared over the pieces that came, to the last unit: those still in layers
-- take theirs along, of the others it is a variance. A negative value takes no layer below 0; the rest is variance, too.
-- Writes warehouse.revaluation with its layers, and entries that move an amount and no piece.
CREATE OR REPLACE FUNCTION warehouse.raise_family(event jsonb) RETURNS jsonb LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
  part_name text := event->>'component';
  final boolean := coalesce((event->>'final')::boolean, false);
  posting uuid;
  today date := warehouse.today();
  products uuid[];
  wanted int := jsonb_array_length(event->'values');
  given int;
  result jsonb;
BEGIN
  INSERT INTO warehouse.stock_posting (company_id, source_type, source_id, source_event, event_seq, source_number,
    business_date, operator_id, operator_name, note)
  VALUES (company, event->>'type', event->>'id', event->>'event', (event->>'seq')::int, event->>'number', today,
    (event->>'operatorId')::uuid, event->>'operator', event->>'note')
  ON CONFLICT (company_id, source_type, source_id, source_event, event_seq) DO NOTHING
  RETURNING id INTO posting;
  IF posting IS NULL THEN
    SELECT id INTO posting FROM warehouse.stock_posting
     WHERE company_id = company AND source_type = event->>'type' AND source_id = event->>'id'
       AND source_event = event->>'event' AND event_seq = (event->>'seq')::int;
    SELECT jsonb_agg(jsonb_build_object('n', r.origin_move, 'toLayers', r.to_layers::text, 'variance', r.variance::text)
             ORDER BY r.origin_move) INTO result
      FROM warehouse.revaluation AS r WHERE r.company_id = company AND r.posting_id = posting;
    RETURN jsonb_build_object('id', posting, 'repeated', true, 'moves', coalesce(result, '[]'));
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  IF EXISTS (SELECT FROM warehouse.inventory_period WHERE company_id = company AND state = 'CLOSED'
      AND month = date_trunc('month', today)::date) THEN
    PERFORM warehouse.refuse('WH005', '业务日期所在账期已关闭');
  END IF;
  -- Who takes the posting back waits here, and the other way round.
  PERFORM FROM warehouse.stock_posting WHERE company_id = company AND id = origin FOR UPDATE;
  SELECT array_agg(DISTINCT f.product) INTO products FROM warehouse.family_of(company, origin, event->'values') AS f;
  -- Balances before layers, as every posting locks them: while they are held no piece of these products moves.
  PERFORM FROM warehouse.stock_balance AS h
    WHERE h.company_id = company AND h.product_id = ANY (products) AND h.status NOT IN ('OUTSIDE', 'EXPECTED')
    ORDER BY h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id FOR UPDATE;
  IF EXISTS (SELECT FROM warehouse.family_of(company, origin, event->'values') AS f WHERE f.product <> ALL (products)) THEN
    RAISE EXCEPTION 'a swap came between' USING ERRCODE = '40001';
  END IF;
  PERFORM FROM warehouse.cost_layer AS l
    WHERE l.company_id = company AND l.id IN (SELECT f.id FROM warehouse.family_of(company, origin, event->'values') AS f)
    ORDER BY l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.original_date, l.id FOR UPDATE;
  WITH family AS MATERIALIZED (
    SELECT * FROM warehouse.family_of(company, origin, event->'values')
  ), root AS (
    SELECT v.n, l.id, l.product_id, l.warehouse_id, l.qty_in,
           round(v.a * sum(l.qty_in) OVER rising / sum(l.qty_in) OVER whole, 4)
             - round(v.a * (sum(l.qty_in) OVER rising - l.qty_in) / sum(l.qty_in) OVER whole, 4) AS a
      FROM jsonb_to_recordset(event->'values') AS v(n int, a numeric)
      JOIN family AS f ON f.n = v.n AND f.id = f.root
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = f.id
    WINDOW whole AS (PARTITION BY v.n), rising AS (PARTITION BY v.n ORDER BY l.id)
  ), held AS (
    SELECT f.n, l.id, l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.qty_remaining, l.amount_remaining,
           r.a, r.qty_in, sum(l.qty_remaining) OVER (PARTITION BY f.root ORDER BY l.id) AS upto
      FROM family AS f
      JOIN root AS r ON r.id = f.root
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = f.id AND l.qty_remaining > 0
  ), part AS MATERIALIZED (
    SELECT h.n, h.id, h.product_id, h.warehouse_id, h.lot_id, h.in_transit,
           greatest(round(h.a * h.upto / h.qty_in, 4) - round(h.a * (h.upto - h.qty_remaining) / h.qty_in, 4),
             -h.amount_remaining) AS a
      FROM held AS h
  ), raised AS (
    UPDATE warehouse.cost_layer AS l
       SET amount_in = l.amount_in + p.a, amount_remaining = l.amount_remaining + p.a,
           components = coalesce(l.components, jsonb_build_object('purchase', l.amount_in::text))
             || jsonb_build_object(part_name, (coalesce((coalesce(l.components, jsonb_build_object('purchase', l.amount_in::text))
                  ->>part_name)::numeric, 0) + p.a)::text),
           cost_state = CASE WHEN final THEN 'FINAL' ELSE l.cost_state END
      FROM part AS p WHERE l.company_id = company AND l.id = p.id AND (p.a <> 0 OR final)
  ), told AS (
    INSERT INTO warehouse.revaluation_layer (company_id, posting_id, layer_id, component, amount)
    SELECT company, posting, p.id, part_name, p.a FROM part AS p WHERE p.a <> 0
  ), target AS (
    -- One cell takes all that its layers got: pieces of one lot may lie in several places.
    SELECT DISTINCT ON (t.product_id, t.warehouse_id, t.lot_id, t.in_transit) h.status, h.warehouse_id, h.product_id,
           h.location_id, h.lot_id, t.a
      FROM (SELECT p.product_id, p.warehouse_id, p.lot_id, p.in_transit, sum(p.a) AS a FROM part AS p WHERE p.a <> 0 GROUP BY 1, 2, 3, 4) AS t
      JOIN warehouse.stock_balance AS h ON h.company_id = company AND h.qty > 0 AND h.status NOT IN ('OUTSIDE', 'EXPECTED')
       AND (h.product_id, h.warehouse_id, h.lot_id, h.status = 'IN_TRANSIT') = (t.product_id, t.warehouse_id, t.lot_id, t.in_transit)
     ORDER BY t.product_id, t.warehouse_id, t.lot_id, t.in_transit, h.status, h.location_id
  ), put AS (
    UPDATE warehouse.stock_balance AS h SET delta = 0, last_seq = nextval('warehouse.stock_seq')
      FROM target AS t
     WHERE h.company_id = company AND (h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
         = (t.warehouse_id, t.product_id, t.location_id, t.lot_id, t.status)
    RETURNING h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.qty, h.last_seq, t.a
  ), written AS (
    INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id,
      warehouse_id, location_id, lot_id, status, qty, balance_after, unit_cost, amount)
    SELECT company, p.last_seq, kit.instant(), posting, row_number() OVER (ORDER BY p.last_seq), today, p.product_id,
           p.warehouse_id, p.location_id, p.lot_id, p.status, 0, p.qty, NULL, p.a
      FROM put AS p
  ), noted AS (
    INSERT INTO warehouse.revaluation (company_id, posting_id, origin_posting_id, origin_move, product_id, warehouse_id,
      component, business_date, amount, to_layers)
    SELECT company, posting, origin, v.n, r.product_id, r.warehouse_id, part_name, today, v.a, coalesce(p.a, 0)
      FROM jsonb_to_recordset(event->'values') AS v(n int, a numeric)
      JOIN LATERAL (SELECT * FROM root WHERE root.n = v.n ORDER BY root.id LIMIT 1) AS r ON true
      LEFT JOIN (SELECT part.n, sum(part.a) AS a FROM part GROUP BY 1) AS p ON p.n = v.n
    RETURNING origin_move, to_layers, variance
  )
  SELECT count(*), jsonb_agg(jsonb_build_object('n', origin_move, 'toLayers', to_layers::text, 'variance', variance::text)
           ORDER BY origin_move) INTO given, result FROM noted;
  IF given <> wanted THEN
    PERFORM warehouse.refuse('WH008', '没有对应的成本层，不能补录成本');
  END IF;
  RETURN jsonb_build_object('id', posting, 'repeated', false, 'moves', result);
END $$;

CALL kit.keep_function('warehouse.raise_family(jsonb)', 'erp_ledger');
