-- The innermost part of reverse(), with the same `event` and answer: writes the opposite legs, empties the layers that the
-- posting made, fills those that it took up again to the last unit, and undoes what it did to reservations. Dated today, so
-- that a closed period stays as it was. Refuses by refuse_used() where something of it was used.
CREATE OR REPLACE FUNCTION warehouse.take_posting_back(event jsonb) RETURNS jsonb LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin warehouse.stock_posting;
  posting uuid;
  places warehouse.move[];
  legs warehouse.cell[];
  cells warehouse.cell[];
  moment timestamptz;
  today date := warehouse.today();
  hits int;
  wanted int;
BEGIN
  SELECT * INTO origin FROM warehouse.stock_posting WHERE company_id = company AND id = (event->>'posting')::uuid;
  IF NOT FOUND THEN
    PERFORM warehouse.refuse('WH008', '库存过账不存在');
  ELSIF origin.reverses_id IS NOT NULL THEN
    PERFORM warehouse.refuse('WH008', '冲销不能再次撤销，请重新制单');
  END IF;
  INSERT INTO warehouse.stock_posting (company_id, source_type, source_id, source_event, event_seq, source_number,
    business_date, reverses_id, operator_id, operator_name, note)
  VALUES (company, origin.source_type, origin.source_id, origin.source_event || '.reverse', origin.event_seq,
    origin.source_number, today, origin.id, (event->>'operatorId')::uuid, event->>'operator', event->>'note')
  ON CONFLICT DO NOTHING RETURNING id INTO posting;
  IF posting IS NULL THEN
    SELECT id INTO posting FROM warehouse.stock_posting WHERE company_id = company AND reverses_id = origin.id;
    RETURN jsonb_build_object('id', posting, 'repeated', true);
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  SELECT array_agg(ROW(e.status, e.warehouse_id, e.product_id, e.location_id, e.lot_id, -e.qty, NULL, NULL, false)::warehouse.cell
           ORDER BY e.status, e.warehouse_id, e.product_id, e.location_id, e.lot_id),
         array_agg(ROW(e.line_no, e.product_id, 1, e.warehouse_id, e.location_id, e.lot_id, e.status, e.warehouse_id,
           e.location_id, e.lot_id, e.status, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)::warehouse.move)
    INTO legs, places FROM warehouse.stock_entry AS e
   WHERE e.company_id = company AND e.posting_id = origin.id AND e.posted_at >= origin.posted_at;
  PERFORM warehouse.check_places(company, places, origin.source_type, origin.source_id);
  cells := warehouse.apply(company, legs);
  IF warehouse.lacks(legs, cells) THEN
    PERFORM warehouse.refuse_used(company, origin.id);
  END IF;
  moment := kit.instant();
  IF kit.day(moment) <> today THEN
    today := kit.day(moment);
    UPDATE warehouse.stock_posting SET business_date = today WHERE company_id = company AND id = posting;
  END IF;
  IF EXISTS (SELECT FROM warehouse.inventory_period WHERE company_id = company AND state = 'CLOSED'
      AND month = date_trunc('month', today)::date) THEN
    PERFORM warehouse.refuse('WH005', '业务日期所在账期已关闭');
  END IF;
  PERFORM FROM warehouse.cost_layer AS l
    WHERE l.company_id = company AND (l.source_posting_id = origin.id OR l.id IN (
      SELECT layer_id FROM warehouse.layer_consumption WHERE company_id = company AND posting_id = origin.id))
    ORDER BY l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.original_date, l.id FOR UPDATE;
  IF EXISTS (SELECT FROM warehouse.cost_layer WHERE company_id = company AND source_posting_id = origin.id
      AND (qty_remaining, amount_remaining) <> (qty_in, amount_in)) THEN
    PERFORM warehouse.refuse_used(company, origin.id);
  END IF;
  INSERT INTO warehouse.layer_consumption (company_id, posting_id, move_no, layer_id, posted_at, qty, amount)
  SELECT company, posting, source_move, id, moment, qty_in, amount_in
    FROM warehouse.cost_layer WHERE company_id = company AND source_posting_id = origin.id
  UNION ALL
  SELECT company, posting, move_no, layer_id, moment, -qty, -amount
    FROM warehouse.layer_consumption WHERE company_id = company AND posting_id = origin.id;
  UPDATE warehouse.cost_layer AS l
     SET qty_remaining = l.qty_remaining - c.qty, amount_remaining = l.amount_remaining - c.amount,
         open = l.qty_remaining > c.qty
    FROM (SELECT layer_id, sum(qty)::int AS qty, sum(amount) AS amount FROM warehouse.layer_consumption
           WHERE company_id = company AND posting_id = posting GROUP BY 1) AS c
   WHERE l.company_id = company AND l.id = c.layer_id;
  PERFORM FROM warehouse.reservation WHERE company_id = company AND id IN (
    SELECT reservation_id FROM warehouse.reservation_move WHERE company_id = company AND posting_id = origin.id)
    ORDER BY id FOR UPDATE;
  WITH change AS (
    SELECT reservation_id AS id, -reserved AS reserved, -shipped AS shipped, -released AS released
      FROM warehouse.reservation_move WHERE company_id = company AND posting_id = origin.id
  ), kept AS (
    UPDATE warehouse.reservation AS r
       SET qty = r.qty + c.reserved, shipped_qty = r.shipped_qty + c.shipped, released_qty = r.released_qty + c.released,
           picked_qty = least(r.picked_qty, r.qty + c.reserved - r.released_qty - c.released),
           state = CASE WHEN r.held + c.reserved - c.shipped - c.released = 0 THEN 'RELEASED'
                        WHEN r.picked_qty + r.released_qty + c.released >= r.qty + c.reserved THEN 'PICKED' ELSE 'OPEN' END
      FROM change AS c
     WHERE r.company_id = company AND r.id = c.id AND r.held + c.reserved - c.shipped - c.released >= 0
    RETURNING c.*
  ), noted AS (
    INSERT INTO warehouse.reservation_move (company_id, posting_id, reservation_id, reserved, shipped, released)
    SELECT company, posting, id, reserved, shipped, released FROM kept
  )
  SELECT (SELECT count(*) FROM kept), count(*) INTO hits, wanted FROM change;
  IF hits <> wanted THEN
    PERFORM warehouse.refuse_used(company, origin.id);
  END IF;
  INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id,
    warehouse_id, location_id, lot_id, status, qty, balance_after, unit_cost, amount)
  SELECT company, c.seq, moment, posting, e.line_no, today, c.p, c.w, c.l, c.b, c.s, c.d, c.after, e.unit_cost, -e.amount
    FROM unnest(cells) AS c
    JOIN warehouse.stock_entry AS e ON e.company_id = company AND e.posting_id = origin.id AND e.posted_at >= origin.posted_at
     AND (e.status, e.warehouse_id, e.product_id, e.location_id, e.lot_id) = (c.s, c.w, c.p, c.l, c.b);
  RETURN jsonb_build_object('id', posting, 'repeated', false);
END $$;

CALL kit.keep_function('warehouse.take_posting_back(jsonb)', 'erp_ledger');
