-- Reserves lines of a document: draws lots and locations (expiry first, then age, then the way of the picker, then the
-- smaller rest), skipping what is frozen or about to expire, and has post() move the pieces to RESERVED. All or nothing.
-- `event`: as for post(), without moves and reservations, with `lines`: [{ n, line, p, q, w, l, b }] (location and lot may
-- be left out), `shelfLife` (days that a lot with an expiry must have left) and `until` (when the hold may be taken away;
-- may be left out). Answers { id, repeated }.
CREATE OR REPLACE FUNCTION warehouse.reserve(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  posting uuid;
  held warehouse.cell[];
  moves jsonb;
  reservations jsonb;
  short record;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  -- Balances of this status come first in the order of locks, so taking more of them than needed harms nobody. Pieces are
  -- drawn from these alone: one that came while this waited would be locked out of order.
  SELECT array_agg(ROW(h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id, 0, NULL, NULL, false)::warehouse.cell)
    INTO held FROM (
      SELECT * FROM warehouse.stock_balance AS b
       WHERE b.company_id = company AND b.status = 'AVAILABLE' AND b.qty > 0 AND (b.warehouse_id, b.product_id) IN (
         SELECT x.w, x.p FROM jsonb_to_recordset(event->'lines') AS x(w uuid, p uuid))
       ORDER BY b.status, b.warehouse_id, b.product_id, b.location_id, b.lot_id FOR UPDATE) AS h;
  -- Only now: the same event may have been under way and have taken just these pieces.
  SELECT id INTO posting FROM warehouse.stock_posting
   WHERE company_id = company AND source_type = event->>'type' AND source_id = event->>'id'
     AND source_event = event->>'event' AND event_seq = (event->>'seq')::int;
  IF FOUND THEN
    RETURN jsonb_build_object('id', posting, 'repeated', true);
  END IF;
  WITH line AS (
    SELECT x.*, sum(x.q) OVER (PARTITION BY x.w, x.p, x.l, x.b ORDER BY x.n) AS upto
      FROM jsonb_to_recordset(event->'lines') AS x(n int, line text, p uuid, q int, w uuid, l uuid, b uuid)
  ), cell AS (
    SELECT k.w, k.p, k.l, k.b, h.location_id, h.lot_id, h.qty,
           sum(h.qty) OVER (PARTITION BY k.w, k.p, k.l, k.b ORDER BY t.expires_at NULLS LAST, age.first NULLS LAST, o.pick_sequence, h.qty, h.location_id, h.lot_id) AS high
      FROM (SELECT DISTINCT w, p, l, b FROM line) AS k
      JOIN warehouse.stock_balance AS h ON h.company_id = company AND h.warehouse_id = k.w AND h.product_id = k.p AND h.status = 'AVAILABLE'
       AND h.qty > 0 AND (k.l IS NULL OR h.location_id = k.l) AND (k.b IS NULL OR h.lot_id = k.b)
      JOIN unnest(held) AS u ON (u.w, u.p, u.l, u.b) = (h.warehouse_id, h.product_id, h.location_id, h.lot_id)
      JOIN warehouse.location AS o ON o.company_id = company AND o.id = h.location_id AND NOT o.frozen
      JOIN warehouse.lot AS t ON t.company_id = company AND t.id = h.lot_id
       AND (t.expires_at IS NULL OR t.expires_at - warehouse.today() >= (event->>'shelfLife')::int)
      LEFT JOIN LATERAL (SELECT min(y.original_date) AS first FROM warehouse.cost_layer AS y
         WHERE y.company_id = company AND y.product_id = h.product_id AND y.warehouse_id = h.warehouse_id
           AND y.lot_id = h.lot_id AND NOT y.in_transit AND y.open) AS age ON true
     WHERE NOT EXISTS (SELECT FROM warehouse.freeze AS f WHERE f.company_id = company AND f.warehouse_id = h.warehouse_id
        AND f.released_at IS NULL AND (f.location_id IS NULL OR f.location_id = h.location_id)
        AND (f.product_id IS NULL OR f.product_id = h.product_id))
  ), piece AS (
    SELECT line.n, line.line, line.p, line.w, c.location_id AS l, c.lot_id AS b, uuidv7() AS r,
           (least(line.upto, c.high) - greatest(line.upto - line.q, c.high - c.qty))::int AS q
      FROM line JOIN cell AS c ON c.w = line.w AND c.p = line.p AND c.l IS NOT DISTINCT FROM line.l AND c.b IS NOT DISTINCT FROM line.b
       AND c.high > line.upto - line.q AND c.high - c.qty < line.upto
  ), numbered AS (SELECT piece.*, row_number() OVER (ORDER BY n, l, b) AS m FROM piece)
  SELECT jsonb_agg(jsonb_build_object('n', m, 'p', p, 'q', q, 'fw', w, 'fl', l, 'fb', b, 'fs', 'AVAILABLE',
           'tw', w, 'tl', l, 'tb', b, 'ts', 'RESERVED', 'r', r)),
         jsonb_agg(jsonb_build_object('id', r, 'line', line, 'p', p, 'w', w, 'l', l, 'b', b, 'until', event->>'until'))
    INTO moves, reservations FROM numbered;
  SELECT l.p, l.w, l.need, coalesce(g.have, 0) AS have INTO short
    FROM (SELECT x.p, x.w, sum(x.q) AS need FROM jsonb_to_recordset(event->'lines') AS x(p uuid, w uuid, q int) GROUP BY 1, 2) AS l
    LEFT JOIN (SELECT x.p, x.fw AS w, sum(x.q) AS have FROM jsonb_to_recordset(moves) AS x(p uuid, fw uuid, q int) GROUP BY 1, 2) AS g
      USING (p, w)
   WHERE coalesce(g.have, 0) < l.need LIMIT 1;
  IF FOUND THEN
    PERFORM warehouse.refuse_frozen(company, short.w, short.p);
    PERFORM warehouse.refuse('WH001', format('SKU【%s】在【%s】可用库存不足：需要 %s，可用 %s',
      (SELECT sku FROM product.local_product WHERE company_id = company AND id = short.p),
      (SELECT name FROM warehouse.warehouse WHERE company_id = company AND id = short.w), short.need, short.have),
      jsonb_build_object('short', jsonb_build_array(jsonb_build_object('product', short.p, 'warehouse', short.w,
        'status', 'AVAILABLE', 'need', short.need, 'have', short.have))));
  END IF;
  RETURN warehouse.post(event || jsonb_build_object('moves', moves, 'reservations', reservations));
END $$;

CALL kit.keep_function('warehouse.reserve(jsonb)', 'erp_ledger', true);
