-- Taking back, reserving, picking; the end of the file hands the functions to the role of the ledger.

-- Refuses to take a posting back, with the documents that have used what it brought.
CREATE FUNCTION warehouse.refuse_used(company uuid, posting uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  users text[];
BEGIN
  SELECT array_agg(DISTINCT number) INTO users FROM (
    SELECT p.source_number AS number
      FROM warehouse.cost_layer AS l
      JOIN warehouse.layer_consumption AS c ON c.company_id = company AND c.layer_id = l.id
      JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = c.posting_id
     WHERE l.company_id = company AND l.source_posting_id = posting AND l.qty_remaining < l.qty_in
     GROUP BY p.id, p.source_number, l.id HAVING sum(c.qty) > 0
    UNION
    SELECT p.source_number
      FROM warehouse.stock_entry AS e
      JOIN warehouse.stock_entry AS o ON o.company_id = company AND o.product_id = e.product_id AND o.warehouse_id = e.warehouse_id
       AND (o.location_id, o.lot_id, o.status) = (e.location_id, e.lot_id, e.status) AND o.seq > e.seq AND o.qty < 0
      JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = o.posting_id AND p.reverses_id IS NULL
     WHERE e.company_id = company AND e.posting_id = posting AND e.qty > 0 AND e.status <> 'OUTSIDE'
       AND NOT EXISTS (SELECT FROM warehouse.stock_posting AS back WHERE back.company_id = company AND back.reverses_id = p.id)
  ) AS u;
  PERFORM warehouse.refuse('WH007', format('该单据的库存已被 %s 使用，请先撤销',
    coalesce(array_to_string(users[1:5], '、') || CASE WHEN cardinality(users) > 5 THEN ' 等' ELSE '' END, '其他单据')),
    jsonb_build_object('users', to_jsonb(coalesce(users, '{}'))));
END $$;

-- Takes a posting back: the opposite legs, its layers emptied, the layers that it took filled up again to the last unit.
-- Dated today, so that a closed period stays as it was. Answers { id, repeated }.
CREATE FUNCTION warehouse.reverse(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
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
  IF (moment AT TIME ZONE 'Asia/Shanghai')::date <> today THEN
    today := (moment AT TIME ZONE 'Asia/Shanghai')::date;
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

-- Reserves lines of a document: draws lots and locations (expiry first, then age, then the way of the picker, then the
-- smaller rest), skipping what is frozen or about to expire. All or nothing. Answers { id, repeated }.
CREATE FUNCTION warehouse.reserve(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  posting uuid;
  moves jsonb;
  reservations jsonb;
  short record;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  -- Balances of this status come first in the order of locks, so taking more of them than needed harms nobody.
  PERFORM FROM warehouse.stock_balance AS h
    WHERE h.company_id = company AND h.status = 'AVAILABLE' AND h.qty > 0 AND (h.warehouse_id, h.product_id) IN (
      SELECT x.w, x.p FROM jsonb_to_recordset(event->'lines') AS x(w uuid, p uuid))
    ORDER BY h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id FOR UPDATE;
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

-- Says so where a count, not a lack, is why nothing can be had.
CREATE FUNCTION warehouse.refuse_frozen(company uuid, house uuid, article uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  stop record;
BEGIN
  SELECT f.document_number, coalesce(l.code, w.name) AS place INTO stop
    FROM warehouse.freeze AS f
    JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = f.warehouse_id
    LEFT JOIN warehouse.location AS l ON l.company_id = company AND l.id = f.location_id
   WHERE f.company_id = company AND f.warehouse_id = house AND f.released_at IS NULL
     AND (f.product_id IS NULL OR f.product_id = article) LIMIT 1;
  IF FOUND THEN
    PERFORM warehouse.refuse('WH003', format('【%s】正在盘点（%s），暂不支持库存操作', stop.place, stop.document_number),
      jsonb_build_object('number', stop.document_number));
  END IF;
END $$;

-- Counts pieces of a reservation as picked. Answers how many are picked now.
CREATE FUNCTION warehouse.pick(reservation uuid, pieces int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  picked int;
BEGIN
  UPDATE warehouse.reservation AS r
     SET picked_qty = r.picked_qty + pieces,
         state = CASE WHEN r.picked_qty + pieces + r.released_qty >= r.qty THEN 'PICKED' ELSE 'OPEN' END
   WHERE r.company_id = kit.company() AND r.id = reservation AND r.state IN ('OPEN', 'PICKED')
     AND r.picked_qty + pieces BETWEEN 0 AND r.qty - r.released_qty AND r.picked_qty + pieces >= r.shipped_qty
  RETURNING r.picked_qty INTO picked;
  IF picked IS NULL THEN
    PERFORM warehouse.refuse('WH004', '拣货数量超过预留数量，请刷新后重试');
  END IF;
  RETURN picked;
END $$;

-- Brings the snapshots of the company up to the ledger: every product and warehouse that a posting touched since the last
-- time is written anew from its first touched day on. Transactions that are still open stay for the next time. With
-- `anew` all of them are written from the entries. Answers the number of rows written.
CREATE FUNCTION warehouse.fold_snapshots(anew boolean DEFAULT false) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  since xid8;
  written int;
BEGIN
  INSERT INTO warehouse.snapshot_progress (company_id, upto) VALUES (company, '0') ON CONFLICT DO NOTHING;
  SELECT p.upto INTO since FROM warehouse.snapshot_progress AS p WHERE p.company_id = company FOR UPDATE;
  -- A database that was moved counts its transactions anew.
  IF anew OR since > horizon THEN
    since := '0';
  END IF;
  IF since = '0'::xid8 THEN
    DELETE FROM warehouse.daily_snapshot WHERE company_id = company;
  END IF;
  WITH touched AS MATERIALIZED (
    SELECT e.warehouse_id, e.product_id, e.status, min(e.business_date) AS day
      FROM warehouse.stock_posting AS p
      JOIN warehouse.stock_entry AS e ON e.company_id = company AND e.posting_id = p.id
     WHERE p.company_id = company AND p.xid >= since AND e.status <> 'OUTSIDE' GROUP BY 1, 2, 3
  ), moved AS (
    SELECT t.warehouse_id, t.product_id, t.status, e.business_date, sum(e.qty) AS qty, sum(coalesce(e.amount, 0)) AS amount, t.day
      FROM touched AS t
      JOIN warehouse.stock_entry AS e ON e.company_id = company AND e.product_id = t.product_id
       AND e.warehouse_id = t.warehouse_id AND e.status = t.status AND e.business_date >= t.day
       AND e.posted_at >= t.day - interval '1 day'
     GROUP BY 1, 2, 3, 4, 7
  ), closing AS (
    SELECT m.warehouse_id, m.product_id, m.status, m.business_date,
           coalesce(o.qty, 0) + sum(m.qty) OVER cell AS qty, coalesce(o.amount, 0) + sum(m.amount) OVER cell AS amount
      FROM moved AS m
      LEFT JOIN LATERAL (SELECT d.qty, d.amount FROM warehouse.daily_snapshot AS d
         WHERE d.company_id = company AND (d.warehouse_id, d.product_id, d.status) = (m.warehouse_id, m.product_id, m.status)
           AND d.business_date < m.day ORDER BY d.business_date DESC LIMIT 1) AS o ON true
    WINDOW cell AS (PARTITION BY m.warehouse_id, m.product_id, m.status ORDER BY m.business_date)
  ), put AS (
    INSERT INTO warehouse.daily_snapshot AS d (company_id, warehouse_id, product_id, status, business_date, qty, amount)
    SELECT company, warehouse_id, product_id, status, business_date, qty, amount FROM closing
    ON CONFLICT (company_id, warehouse_id, product_id, status, business_date) DO UPDATE
       SET qty = excluded.qty, amount = excluded.amount
     WHERE (d.qty, d.amount) <> (excluded.qty, excluded.amount)
    RETURNING 1
  )
  SELECT count(*) INTO written FROM put;
  UPDATE warehouse.snapshot_progress AS p SET upto = horizon, folded_at = kit.now() WHERE p.company_id = company;
  RETURN written;
END $$;

-- Writes the balances anew from the entries, while no posting is under way. Answers how many were wrong: 0, or somebody
-- went past the ledger.
CREATE FUNCTION warehouse.rebuild_balances() RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  wrong int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('warehouse.gate:' || company, 0));
  WITH fold AS MATERIALIZED (
    SELECT warehouse_id, product_id, location_id, lot_id, status, sum(qty)::int AS qty, max(seq) AS seq,
           (array_agg(qty ORDER BY seq DESC))[1] AS delta
      FROM warehouse.stock_entry WHERE company_id = company GROUP BY 1, 2, 3, 4, 5
  ), gone AS (
    DELETE FROM warehouse.stock_balance AS b WHERE b.company_id = company AND NOT EXISTS (
      SELECT FROM fold AS f WHERE (f.warehouse_id, f.product_id, f.location_id, f.lot_id, f.status)
        = (b.warehouse_id, b.product_id, b.location_id, b.lot_id, b.status))
    RETURNING 1
  ), put AS (
    INSERT INTO warehouse.stock_balance AS b (company_id, warehouse_id, product_id, location_id, lot_id, status, qty, delta, last_seq)
    SELECT company, warehouse_id, product_id, location_id, lot_id, status, qty, delta, seq FROM fold
    ON CONFLICT (company_id, warehouse_id, product_id, location_id, lot_id, status) DO UPDATE
       SET qty = excluded.qty, delta = excluded.delta, last_seq = excluded.last_seq
     WHERE (b.qty, b.last_seq) <> (excluded.qty, excluded.last_seq)
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM put) INTO wrong;
  RETURN wrong;
END $$;

DO $$
DECLARE
  name text;
BEGIN
  GRANT UPDATE ON warehouse.daily_snapshot TO erp_ledger;
  -- Only for the moment: a role must be able to create in a schema to be given something in it.
  GRANT CREATE ON SCHEMA warehouse TO erp_ledger;
  FOR name IN SELECT p.oid::regprocedure::text FROM pg_proc AS p WHERE p.pronamespace = 'warehouse'::regnamespace
      AND p.provolatile = 'v' AND p.proname NOT IN ('make_months', 'today') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO erp_ledger', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA warehouse FROM erp_ledger;
END $$;
GRANT EXECUTE ON FUNCTION warehouse.ensure_virtual, warehouse.post, warehouse.reverse, warehouse.reserve, warehouse.pick,
  warehouse.fold_snapshots, warehouse.rebuild_balances TO erp_app;
