-- Adds value to the layers that a posting made, before anybody has used them; called by add_value(), with the same `event`
-- and answer. The value of a move is shared among its layers by pieces, to the last unit; the entries move an amount and no
-- piece.
CREATE OR REPLACE FUNCTION warehouse.raise_layers(event jsonb) RETURNS jsonb LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
  component text := event->>'component';
  posting uuid;
  today date := warehouse.today();
  outside uuid := warehouse.virtual_id(company, 'SUPPLIER');
  wanted numeric;
  given numeric;
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
    RETURN jsonb_build_object('id', posting, 'repeated', true);
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  IF EXISTS (SELECT FROM warehouse.inventory_period WHERE company_id = company AND state = 'CLOSED'
      AND month = date_trunc('month', today)::date) THEN
    PERFORM warehouse.refuse('WH005', '业务日期所在账期已关闭');
  END IF;
  -- Balances before layers, as every posting locks them: their last entry becomes the one that is written here.
  WITH share AS (
    SELECT v.n, v.a FROM jsonb_to_recordset(event->'values') AS v(n int, a numeric) WHERE v.a > 0
  ), cell AS (
    SELECT e.status, e.warehouse_id, e.product_id, e.location_id, e.lot_id
      FROM warehouse.stock_entry AS e
     WHERE e.company_id = company AND e.posting_id = origin AND e.qty > 0 AND e.status NOT IN ('OUTSIDE', 'EXPECTED')
  ), held AS (
    SELECT h.* FROM warehouse.stock_balance AS h JOIN cell AS c
        ON (h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
         = (c.warehouse_id, c.product_id, c.location_id, c.lot_id, c.status)
     WHERE h.company_id = company
     ORDER BY h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id FOR UPDATE OF h
  ), part AS (
    SELECT l.id, l.product_id, l.warehouse_id, l.lot_id, l.in_transit,
           round(s.a * sum(l.qty_in) OVER rising / sum(l.qty_in) OVER whole, 4)
             - round(s.a * (sum(l.qty_in) OVER rising - l.qty_in) / sum(l.qty_in) OVER whole, 4) AS a
      FROM share AS s JOIN warehouse.cost_layer AS l
        ON l.company_id = company AND l.source_posting_id = origin AND l.source_move = s.n AND l.qty_remaining = l.qty_in
    WINDOW whole AS (PARTITION BY l.source_move), rising AS (PARTITION BY l.source_move ORDER BY l.id)
  ), raised AS (
    UPDATE warehouse.cost_layer AS l
       SET amount_in = l.amount_in + p.a, amount_remaining = l.amount_remaining + p.a,
           components = coalesce(l.components, jsonb_build_object('purchase', l.amount_in::text))
             || jsonb_build_object(component, (coalesce((l.components->>component)::numeric, 0) + p.a)::text)
      FROM part AS p WHERE l.company_id = company AND l.id = p.id
    RETURNING p.product_id, p.warehouse_id, p.lot_id, p.in_transit, p.a
  ), total AS (
    -- One cell takes all that its layers got: pieces of one lot may lie in several places.
    SELECT r.product_id, r.warehouse_id, r.lot_id, r.in_transit, sum(r.a) AS a FROM raised AS r GROUP BY 1, 2, 3, 4
  ), target AS (
    SELECT DISTINCT ON (t.product_id, t.warehouse_id, t.lot_id, t.in_transit) h.status, h.warehouse_id, h.product_id,
           h.location_id, h.lot_id, t.a
      FROM total AS t JOIN held AS h ON (h.product_id, h.warehouse_id, h.lot_id, h.status = 'IN_TRANSIT')
         = (t.product_id, t.warehouse_id, t.lot_id, t.in_transit)
     ORDER BY t.product_id, t.warehouse_id, t.lot_id, t.in_transit, h.location_id
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
    RETURNING amount
  )
  SELECT (SELECT sum(a) FROM share), (SELECT sum(amount) FROM written) INTO wanted, given;
  IF wanted IS DISTINCT FROM given THEN
    RAISE EXCEPTION 'value for layers that are not there or in use' USING ERRCODE = 'WH099';
  END IF;
  RETURN jsonb_build_object('id', posting, 'repeated', false);
END $$;

CALL kit.keep_function('warehouse.raise_layers(jsonb)', 'erp_ledger');
