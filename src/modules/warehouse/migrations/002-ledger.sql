-- The ledger: the only code that writes postings, entries, balances, layers and reservations. It runs in the
-- database because one event then is one round trip with every lock held for microseconds.
--
-- Order of locks, the same for every posting, so that none waits for another in a circle: the document (by the caller),
-- the posting's key, the gate (shared), balances by status and key, layers by cell and age, reservations by id.

-- One movement of a product from a place to a place. What is not said by the ledger's face is resolved before it comes.
CREATE TYPE warehouse.move AS (
  n int,           -- 1, 2, 3 …
  p uuid,          -- product
  q int,           -- pieces, > 0
  fw uuid, fl uuid, fb uuid, fs text,  -- from: warehouse, location, lot, status
  tw uuid, tl uuid, tb uuid, ts text,  -- to
  r uuid,          -- reservation, where either side is RESERVED
  k text,          -- cost of what comes in from outside: GIVEN, LAST, CARRY, SUM
  g int,           -- group of CARRY and SUM
  a numeric,       -- GIVEN: value of all pieces; SUM: what is added to the group's value
  w numeric,       -- SUM: weight of this move in the group
  od date,         -- GIVEN: day of the first receipt
  st text,         -- ESTIMATED or FINAL
  c jsonb          -- GIVEN: components of the value
);

-- A balance after the posting: its key, what was added, what is there now.
CREATE TYPE warehouse.cell AS (s text, w uuid, p uuid, l uuid, b uuid, d int, after int, seq bigint, bad boolean);

-- Day of the company; inventory is dated in Beijing time.
CREATE FUNCTION warehouse.today() RETURNS date LANGUAGE sql VOLATILE PARALLEL SAFE AS
$$ SELECT (kit.instant() AT TIME ZONE 'Asia/Shanghai')::date $$;

-- Id of a virtual warehouse of a company: known without a look-up, on both sides.
CREATE FUNCTION warehouse.virtual_id(company uuid, code text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT md5(company::text || ':' || code)::uuid $$;

-- Chinese name of a stock status.
CREATE FUNCTION warehouse.status_title(status text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE status WHEN 'EXPECTED' THEN '待入库' WHEN 'IN_TRANSIT' THEN '在途' WHEN 'QUARANTINE' THEN '待检'
    WHEN 'AVAILABLE' THEN '可用' WHEN 'RESERVED' THEN '待出库' WHEN 'PROCESSING' THEN '加工中' WHEN 'DEFECTIVE' THEN '次品'
    ELSE '外部' END $$;

-- Makes the virtual warehouses of the running company where they are missing.
CREATE FUNCTION warehouse.ensure_virtual() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
BEGIN
  INSERT INTO warehouse.warehouse (company_id, id, code, name, kind, sort)
  SELECT company, warehouse.virtual_id(company, code), code, title, 'VIRTUAL', 1000
    FROM (VALUES ('SUPPLIER', '供应商'), ('CUSTOMER', '客户'), ('ADJUSTMENT', '盘盈亏'), ('SCRAP', '报废'),
           ('CONVERSION', '换货'), ('ASSEMBLY', '组装'), ('LOST', '丢失'), ('OPENING', '期初')) AS v(code, title)
   ORDER BY code
  ON CONFLICT DO NOTHING;
  INSERT INTO warehouse.location (company_id, id, warehouse_id, code, path, type)
  SELECT company, id, id, '暂存', '暂存', 'STAGING' FROM warehouse.warehouse
   WHERE company_id = company AND kind = 'VIRTUAL' ORDER BY code
  ON CONFLICT DO NOTHING;
END $$;

-- Ends the posting with what a person may read. `detail` is for the program.
CREATE FUNCTION warehouse.refuse(code text, message text, detail jsonb DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message, DETAIL = detail::text;
END $$;

-- Refuses places that do not exist, are out of use, or cannot hold the status, and what a count holds still.
CREATE FUNCTION warehouse.check_places(company uuid, moves warehouse.move[], source_type text, source_id text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bad record;
BEGIN
  SELECT x.s, w.id AS known, w.name, w.disabled, w.kind, l.id AS location, l.code, l.type, l.frozen INTO bad
    FROM (SELECT fw AS w, fl AS l, fs AS s FROM unnest(moves) UNION SELECT tw, tl, ts FROM unnest(moves)) AS x
    LEFT JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = x.w
    LEFT JOIN warehouse.location AS l ON l.company_id = company AND l.warehouse_id = x.w AND l.id = x.l
   WHERE w.id IS NULL OR l.id IS NULL OR w.disabled OR l.frozen OR l.type = 'AREA'
      OR NOT CASE WHEN w.kind = 'VIRTUAL' THEN x.s = 'OUTSIDE'
                  WHEN x.s IN ('EXPECTED', 'IN_TRANSIT') THEN true
                  WHEN w.quality = 'GOOD' THEN x.s IN ('AVAILABLE', 'RESERVED', 'PROCESSING')
                  WHEN w.quality = 'QC' THEN x.s = 'QUARANTINE'
                  ELSE x.s = 'DEFECTIVE' END
   LIMIT 1;
  IF FOUND THEN
    PERFORM warehouse.refuse('WH002', CASE
      WHEN bad.known IS NULL THEN '仓库不存在或已删除'
      WHEN bad.disabled THEN format('仓库【%s】已停用', bad.name)
      WHEN bad.location IS NULL OR bad.type = 'AREA' THEN format('仓库【%s】没有该库位', bad.name)
      WHEN bad.frozen THEN format('库位【%s】已冻结，暂不支持库存操作', bad.code)
      ELSE format('仓库【%s】不能存放状态为【%s】的库存', bad.name, warehouse.status_title(bad.s)) END);
  END IF;
  IF EXISTS (SELECT FROM warehouse.freeze WHERE company_id = company AND released_at IS NULL) THEN
    SELECT f.document_number, coalesce(l.code, w.name) AS place INTO bad
      FROM (SELECT fw AS w, fl AS l, p FROM unnest(moves) UNION SELECT tw, tl, p FROM unnest(moves)) AS x
      JOIN warehouse.freeze AS f ON f.company_id = company AND f.warehouse_id = x.w AND f.released_at IS NULL
       AND (f.location_id IS NULL OR f.location_id = x.l) AND (f.product_id IS NULL OR f.product_id = x.p)
       AND (f.document_type, f.document_id) <> (source_type, source_id)
      JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = x.w
      LEFT JOIN warehouse.location AS l ON l.company_id = company AND l.id = f.location_id
     LIMIT 1;
    IF FOUND THEN
      PERFORM warehouse.refuse('WH003', format('【%s】正在盘点（%s），暂不支持库存操作', bad.place, bad.document_number),
        jsonb_build_object('number', bad.document_number));
    END IF;
  END IF;
END $$;

-- Says which cells lack what.
CREATE FUNCTION warehouse.refuse_shortage(company uuid, legs warehouse.cell[], done warehouse.cell[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  short jsonb;
  one jsonb;
BEGIN
  WITH cell AS (
    SELECT n.*, CASE WHEN x.d IS NULL THEN coalesce(h.qty, 0) ELSE x.after - x.d END AS have
      FROM unnest(legs) AS n
      LEFT JOIN warehouse.stock_balance AS h ON (h.company_id, h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
         = (company, n.w, n.p, n.l, n.b, n.s)
      LEFT JOIN unnest(done) AS x ON NOT x.bad AND (x.s, x.w, x.p, x.l, x.b) = (n.s, n.w, n.p, n.l, n.b)
     WHERE n.d < 0 AND n.s <> 'OUTSIDE'
  ), lack AS (
    SELECT c.p, c.w, c.s, p.sku, w.name, -sum(c.d)::int AS need, sum(c.have)::int AS have
      FROM cell AS c
      JOIN product.local_product AS p ON p.company_id = company AND p.id = c.p
      JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = c.w
     GROUP BY 1, 2, 3, 4, 5 HAVING bool_or(c.have + c.d < 0)
  )
  SELECT jsonb_agg(jsonb_build_object('product', p, 'sku', sku, 'warehouse', w, 'name', name, 'status', s,
           'need', need, 'have', have) ORDER BY sku, name) INTO short FROM lack;
  one := short->0;
  PERFORM warehouse.refuse('WH001', format('SKU【%s】在【%s】%s库存不足：需要 %s，%s %s', one->>'sku', one->>'name',
    warehouse.status_title(one->>'status'), one->>'need',
    CASE WHEN one->>'status' = 'AVAILABLE' THEN '可用' ELSE '现有' END, one->>'have'),
    jsonb_build_object('short', short));
END $$;

-- The legs of moves, netted by balance.
CREATE FUNCTION warehouse.legs_of(moves warehouse.move[]) RETURNS warehouse.cell[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (SELECT array_agg(ROW(s, w, p, l, b, d, NULL, NULL, false)::warehouse.cell ORDER BY s, w, p, l, b) FROM (
    SELECT s, w, p, l, b, sum(d)::int AS d FROM (
      SELECT fs AS s, fw AS w, p, fl AS l, fb AS b, -q AS d FROM unnest(moves)
      UNION ALL SELECT ts, tw, p, tl, tb, q FROM unnest(moves)) AS leg
     GROUP BY 1, 2, 3, 4, 5 HAVING sum(d) <> 0) AS net);
END $$;

-- Locks balances in order and adds to them: one statement, which refuses by leaving a row alone. The legs come sorted;
-- the answer has a mark on each that lacks something, and misses those that were left alone.
CREATE FUNCTION warehouse.apply(company uuid, legs warehouse.cell[]) RETURNS warehouse.cell[] LANGUAGE plpgsql AS $$
DECLARE
  cells warehouse.cell[];
BEGIN
  WITH put AS (
    INSERT INTO warehouse.stock_balance AS h
      (company_id, warehouse_id, product_id, location_id, lot_id, status, qty, delta, last_seq)
    SELECT company, w, p, l, b, s, CASE WHEN s = 'OUTSIDE' THEN d ELSE greatest(d, 0) END, d,
           nextval('warehouse.stock_seq')
      FROM unnest(legs) ORDER BY s, w, p, l, b
    ON CONFLICT (company_id, warehouse_id, product_id, location_id, lot_id, status) DO UPDATE
       SET qty = h.qty + excluded.delta, delta = excluded.delta, last_seq = nextval('warehouse.stock_seq')
     WHERE h.qty + excluded.delta >= 0 OR h.status = 'OUTSIDE'
    RETURNING ROW(h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.delta, h.qty, h.last_seq,
      old.qty IS NULL AND h.delta < 0 AND h.status <> 'OUTSIDE')::warehouse.cell AS cell
  )
  SELECT array_agg(cell ORDER BY (cell).s, (cell).w, (cell).p, (cell).l, (cell).b) INTO cells FROM put;
  RETURN coalesce(cells, '{}');
END $$;

-- Whether apply() refused a leg.
CREATE FUNCTION warehouse.lacks(legs warehouse.cell[], cells warehouse.cell[]) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN coalesce(cardinality(legs), 0) <> cardinality(cells) OR EXISTS (SELECT FROM unnest(cells) WHERE bad);
END $$;

-- What take_layers() does, for the one move whose pieces are all in one layer: most documents of one line. Answers null
-- where it is not so.
CREATE FUNCTION warehouse.take_one(company uuid, posting uuid, moment timestamptz, m warehouse.move, size int)
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  l warehouse.cost_layer;
  value numeric;
  taken numeric[] := array_fill(0::numeric, ARRAY[size]);
BEGIN
  IF m.g > 0 THEN
    RETURN NULL;
  END IF;
  SELECT * INTO l FROM warehouse.cost_layer AS c
   WHERE c.company_id = company AND c.product_id = m.p AND c.warehouse_id = m.fw AND c.lot_id = m.fb
     AND c.in_transit = (m.fs = 'IN_TRANSIT') AND c.open
   ORDER BY c.original_date, c.id LIMIT 1 FOR UPDATE;
  IF l.id IS NULL OR l.qty_remaining < m.q THEN
    RETURN NULL;
  END IF;
  value := round(l.amount_remaining * m.q / l.qty_remaining, 4);
  UPDATE warehouse.cost_layer AS c
     SET qty_remaining = l.qty_remaining - m.q, amount_remaining = l.amount_remaining - value, open = l.qty_remaining > m.q
   WHERE c.company_id = company AND c.id = l.id;
  INSERT INTO warehouse.layer_consumption (company_id, posting_id, move_no, layer_id, posted_at, qty, amount)
  VALUES (company, posting, m.n, l.id, moment, m.q, value);
  IF m.k = 'CARRY' THEN
    INSERT INTO warehouse.cost_layer (company_id, product_id, warehouse_id, lot_id, in_transit, cost_pool_id,
      source_posting_id, source_move, parent_layer_id, received_at, original_date, qty_in, qty_remaining, amount_in,
      amount_remaining, components, cost_state)
    SELECT company, m.p, m.tw, m.tb, m.ts = 'IN_TRANSIT', coalesce(w.cost_pool_id, w.id), posting, m.n, l.id, moment,
           l.original_date, m.q, m.q, value, value, warehouse.scaled(l.components, value, l.amount_in), l.cost_state
      FROM warehouse.warehouse AS w WHERE w.company_id = company AND w.id = m.tw;
  END IF;
  taken[m.n] := value;
  RETURN taken;
END $$;

-- Parts of a value for a part of it; for showing, they need not add up to the last unit.
CREATE FUNCTION warehouse.scaled(parts jsonb, value numeric, whole numeric) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN parts IS NOT NULL AND whole <> 0 THEN
     (SELECT jsonb_object_agg(key, round(part::numeric * value / whole, 4)) FROM jsonb_each_text(parts) AS p(key, part)) END $$;

-- Takes pieces out of layers, oldest first, and hands those that stay in the house on to new layers with the same age.
-- A part of a layer costs round(rest x pieces / rest of pieces, 4); the last piece takes all that is left.
-- Returns the value that each move took out, by its number.
CREATE FUNCTION warehouse.take_layers(company uuid, posting uuid, moment timestamptz, moves warehouse.move[])
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  enough boolean;
  by_date boolean := coalesce((SELECT fifo_by = 'DATE' FROM warehouse.setting WHERE company_id = company), true);
  taken numeric[];
  goers int[] := ARRAY(SELECT n FROM unnest(moves) WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb));
BEGIN
  IF cardinality(goers) = 1 AND by_date THEN
    taken := warehouse.take_one(company, posting, moment, moves[goers[1]], cardinality(moves));
    IF taken IS NOT NULL THEN
      RETURN taken;
    END IF;
  END IF;
  FOR tries IN 1..100 LOOP
    WITH need AS (
      SELECT p, fw, fb, fs = 'IN_TRANSIT' AS tr, sum(q) AS q FROM unnest(moves) WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb)
       GROUP BY 1, 2, 3, 4
    ), candidate AS (
      SELECT c.id FROM need CROSS JOIN LATERAL (
        SELECT l.id, sum(l.qty_remaining) OVER (ORDER BY CASE WHEN by_date THEN l.original_date END, l.id) - l.qty_remaining AS before
          FROM warehouse.cost_layer AS l
         WHERE l.company_id = company AND l.product_id = need.p AND l.warehouse_id = need.fw AND l.lot_id = need.fb
           AND l.in_transit = need.tr AND l.open) AS c
       WHERE c.before < need.q
    ), locked AS MATERIALIZED (
      SELECT l.id, l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.qty_remaining
        FROM warehouse.cost_layer AS l
       WHERE l.company_id = company AND l.id IN (SELECT id FROM candidate)
       ORDER BY l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.original_date, l.id FOR UPDATE
    )
    SELECT (SELECT array_agg(id) FROM locked), bool_and(coalesce(h.have, 0) >= need.q) INTO ids, enough
      FROM need LEFT JOIN (
        SELECT product_id, warehouse_id, lot_id, in_transit, sum(qty_remaining) AS have FROM locked GROUP BY 1, 2, 3, 4
      ) AS h ON (h.product_id, h.warehouse_id, h.lot_id, h.in_transit) = (need.p, need.fw, need.fb, need.tr);
    -- Another posting emptied a layer while this one waited for it: what stands behind it is looked for again.
    EXIT WHEN enough;
  END LOOP;
  IF NOT enough THEN
    RAISE EXCEPTION 'stock without a cost layer' USING ERRCODE = 'WH099';
  END IF;
  WITH need AS (
    SELECT m.n, m.g, m.p, m.fw, m.fb, m.fs = 'IN_TRANSIT' AS tr, m.q,
           sum(m.q) OVER (PARTITION BY m.p, m.fw, m.fb, m.fs = 'IN_TRANSIT' ORDER BY m.n) AS upto
      FROM unnest(moves) AS m WHERE warehouse.leaves(m.fs, m.fw, m.fb, m.ts, m.tw, m.tb)
  ), layer AS (
    SELECT l.*, sum(l.qty_remaining) OVER cell - l.qty_remaining AS low, sum(l.qty_remaining) OVER cell AS high,
           row_number() OVER cell AS rank
      FROM warehouse.cost_layer AS l WHERE l.company_id = company AND l.id = ANY (ids) AND l.qty_remaining > 0
    WINDOW cell AS (PARTITION BY l.product_id, l.warehouse_id, l.lot_id, l.in_transit
                    ORDER BY CASE WHEN by_date THEN l.original_date END, l.id)
  ), piece AS MATERIALIZED (
    SELECT need.n, need.g, l.rank, l.id, l.original_date, l.cost_state, l.components, l.amount_in,
           (least(need.upto, l.high) - greatest(need.upto - need.q, l.low))::int AS q,
           round(l.amount_remaining * (least(need.upto, l.high) - l.low) / l.qty_remaining, 4)
             - round(l.amount_remaining * (greatest(need.upto - need.q, l.low) - l.low) / l.qty_remaining, 4) AS a
      FROM need JOIN layer AS l
        ON (l.product_id, l.warehouse_id, l.lot_id, l.in_transit) = (need.p, need.fw, need.fb, need.tr)
       AND l.high > need.upto - need.q AND l.low < need.upto
  ), less AS (
    UPDATE warehouse.cost_layer AS l
       SET qty_remaining = l.qty_remaining - t.q, amount_remaining = l.amount_remaining - t.a, open = l.qty_remaining > t.q
      FROM (SELECT id, sum(q)::int AS q, sum(a) AS a FROM piece GROUP BY id) AS t
     WHERE l.company_id = company AND l.id = t.id
  ), used AS (
    INSERT INTO warehouse.layer_consumption (company_id, posting_id, move_no, layer_id, posted_at, qty, amount)
    SELECT company, posting, n, id, moment, q, a FROM piece
  ), carried AS (
    SELECT piece.*, sum(q) OVER (PARTITION BY g ORDER BY n, rank) - q AS low, sum(q) OVER (PARTITION BY g ORDER BY n, rank) AS high
      FROM piece WHERE g IS NOT NULL
  ), place AS (
    SELECT m.*, sum(m.q) OVER (PARTITION BY m.g ORDER BY m.n) AS upto FROM unnest(moves) AS m
     WHERE m.k = 'CARRY' AND warehouse.leaves(m.ts, m.tw, m.tb, m.fs, m.fw, m.fb)
  ), child AS (
    INSERT INTO warehouse.cost_layer (company_id, product_id, warehouse_id, lot_id, in_transit, cost_pool_id,
      source_posting_id, source_move, parent_layer_id, received_at, original_date, qty_in, qty_remaining, amount_in,
      amount_remaining, components, cost_state)
    SELECT company, o.p, o.tw, o.tb, o.ts = 'IN_TRANSIT', coalesce(w.cost_pool_id, w.id), posting, o.n, o.id, moment,
           o.original_date, o.q, o.q, o.a, o.a,
           warehouse.scaled(o.components, o.a, o.amount_in),
           o.cost_state
      FROM (
        SELECT t.n, t.p, t.tw, t.tb, t.ts, c.id, c.rank, c.original_date, c.cost_state, c.components, c.amount_in,
               (least(t.upto, c.high) - greatest(t.upto - t.q, c.low))::int AS q,
               round(c.a * (least(t.upto, c.high) - c.low) / c.q, 4)
                 - round(c.a * (greatest(t.upto - t.q, c.low) - c.low) / c.q, 4) AS a
          FROM place AS t JOIN carried AS c ON c.g = t.g AND c.high > t.upto - t.q AND c.low < t.upto
         ORDER BY t.n, c.n, c.rank
      ) AS o JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = o.tw
     ORDER BY o.n, o.rank
  )
  SELECT array_agg(coalesce(s.a, 0) ORDER BY m.n) INTO taken
    FROM unnest(moves) AS m LEFT JOIN (SELECT n, sum(a) AS a FROM piece GROUP BY n) AS s USING (n);
  RETURN taken;
END $$;

-- Whether a move takes its pieces out of the cell of layers of its first side: by leaving the company, or for another
-- warehouse, another lot, or from the way into the house.
CREATE FUNCTION warehouse.leaves(s1 text, w1 uuid, b1 uuid, s2 text, w2 uuid, b2 uuid) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT s1 NOT IN ('OUTSIDE', 'EXPECTED') AND (s2 IN ('OUTSIDE', 'EXPECTED')
     OR (w1, b1, s1 = 'IN_TRANSIT') IS DISTINCT FROM (w2, b2, s2 = 'IN_TRANSIT')) $$;

-- New layers for what comes in from outside with a value of its own. Returns the value of every move that came in from
-- outside by its number, those included that took over the layers of others.
CREATE FUNCTION warehouse.make_layers(company uuid, posting uuid, moment timestamptz, day date, moves warehouse.move[], taken numeric[])
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  given numeric[];
BEGIN
  WITH come AS (
    SELECT m.* FROM unnest(moves) AS m WHERE warehouse.leaves(m.ts, m.tw, m.tb, m.fs, m.fw, m.fb)
  ), total AS (
    SELECT m.g, sum(taken[m.n]) AS a FROM unnest(moves) AS m WHERE m.g IS NOT NULL AND taken[m.n] IS NOT NULL GROUP BY 1
  ), share AS (
    SELECT c.n, coalesce(t.a, 0) + sum(coalesce(c.a, 0)) OVER grp AS a,
           sum(coalesce(c.w, c.q)) OVER (grp ORDER BY c.n) AS upto, coalesce(c.w, c.q) AS w, sum(coalesce(c.w, c.q)) OVER grp AS whole
      FROM come AS c LEFT JOIN total AS t USING (g) WHERE c.k = 'SUM'
    WINDOW grp AS (PARTITION BY c.g)
  ), valued AS (
    SELECT c.*, CASE c.k
        WHEN 'GIVEN' THEN round(c.a, 4)
        WHEN 'SUM' THEN (SELECT round(s.a * s.upto / s.whole, 4) - round(s.a * (s.upto - s.w) / s.whole, 4) FROM share AS s WHERE s.n = c.n)
        ELSE round(c.q * coalesce((SELECT l.amount_in / l.qty_in FROM warehouse.cost_layer AS l
               WHERE l.company_id = company AND l.product_id = c.p ORDER BY (l.warehouse_id = c.tw) DESC, l.id DESC LIMIT 1), 0), 4)
        END AS value
      FROM come AS c WHERE c.k IN ('GIVEN', 'SUM', 'LAST')
  )
    INSERT INTO warehouse.cost_layer (company_id, product_id, warehouse_id, lot_id, in_transit, cost_pool_id,
      source_posting_id, source_move, received_at, original_date, qty_in, qty_remaining, amount_in, amount_remaining,
      components, cost_state)
    SELECT company, v.p, v.tw, v.tb, v.ts = 'IN_TRANSIT', coalesce(w.cost_pool_id, w.id), posting, v.n, moment,
           coalesce(v.od, day), v.q, v.q, v.value, v.value, v.c, coalesce(v.st, CASE WHEN v.k = 'LAST' THEN 'ESTIMATED' ELSE 'FINAL' END)
      FROM valued AS v JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = v.tw ORDER BY v.n;
  SELECT array_agg(v.a ORDER BY m.n) INTO given FROM unnest(moves) AS m LEFT JOIN (
    SELECT source_move, sum(amount_in) AS a FROM warehouse.cost_layer WHERE company_id = company AND source_posting_id = posting GROUP BY 1
  ) AS v ON v.source_move = m.n;
  RETURN given;
END $$;

-- Keeps reservations in step with what is RESERVED; refuses to touch RESERVED without one.
CREATE FUNCTION warehouse.keep_reservations(company uuid, posting uuid, moves warehouse.move[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  hits int;
  wanted int;
BEGIN
  PERFORM FROM warehouse.reservation WHERE company_id = company AND id IN (SELECT r FROM unnest(moves)) ORDER BY id FOR UPDATE;
  WITH change AS (
    SELECT r AS id, p, w, l, b,
           sum(CASE WHEN up THEN q ELSE 0 END)::int AS reserved, sum(CASE WHEN NOT up AND NOT back THEN q ELSE 0 END)::int AS shipped,
           sum(CASE WHEN NOT up AND back THEN q ELSE 0 END)::int AS released
      FROM (SELECT r, p, q, tw AS w, tl AS l, tb AS b, true AS up, false AS back FROM unnest(moves) WHERE ts = 'RESERVED'
            UNION ALL
            SELECT r, p, q, fw, fl, fb, false, ts = 'AVAILABLE' AND tw = fw FROM unnest(moves) WHERE fs = 'RESERVED') AS m
     GROUP BY 1, 2, 3, 4, 5
  ), kept AS (
    UPDATE warehouse.reservation AS r
       SET qty = r.qty + c.reserved, shipped_qty = r.shipped_qty + c.shipped, released_qty = r.released_qty + c.released,
           picked_qty = least(r.picked_qty, r.qty + c.reserved - r.released_qty - c.released),
           state = CASE WHEN r.held + c.reserved - c.shipped - c.released = 0
                        THEN CASE WHEN r.shipped_qty + c.shipped > 0 THEN 'SHIPPED' ELSE 'RELEASED' END
                        WHEN r.picked_qty + r.released_qty + c.released >= r.qty + c.reserved THEN 'PICKED' ELSE 'OPEN' END
      FROM change AS c
     WHERE r.company_id = company AND r.id = c.id
       AND (r.product_id, r.warehouse_id, r.location_id, r.lot_id) = (c.p, c.w, c.l, c.b)
       AND r.held + c.reserved - c.shipped - c.released >= 0
    RETURNING c.id, c.reserved, c.shipped, c.released
  ), noted AS (
    INSERT INTO warehouse.reservation_move (company_id, posting_id, reservation_id, reserved, shipped, released)
    SELECT company, posting, id, reserved, shipped, released FROM kept
  )
  SELECT (SELECT count(*) FROM kept), count(*) INTO hits, wanted FROM change;
  IF hits <> wanted THEN
    PERFORM warehouse.refuse('WH004', '预留不存在或数量不足，请刷新后重试');
  END IF;
END $$;

-- A day in the past must not have been short of what is taken away on it only now.
CREATE FUNCTION warehouse.check_past(company uuid, cells warehouse.cell[], day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  short date;
BEGIN
  SELECT min(e.business_date) - 1 INTO short FROM unnest(cells) AS c CROSS JOIN LATERAL (
    SELECT x.business_date, c.after - sum(x.qty) OVER (ORDER BY x.business_date DESC) AS before
      FROM (SELECT business_date, sum(qty) AS qty FROM warehouse.stock_entry
             WHERE company_id = company AND product_id = c.p AND warehouse_id = c.w AND location_id = c.l AND lot_id = c.b
               AND status = c.s AND business_date > day AND posted_at >= day - interval '1 day' GROUP BY 1) AS x) AS e
   WHERE c.d < 0 AND c.s <> 'OUTSIDE' AND e.before < 0;
  IF short IS NOT NULL THEN
    PERFORM warehouse.refuse('WH006', format('补录日期会导致 %s 库存为负', short), jsonb_build_object('day', short));
  END IF;
END $$;

-- Writes the entries of a posting: one per balance that it moved.
CREATE FUNCTION warehouse.write_entries(company uuid, posting uuid, moment timestamptz, day date, cells warehouse.cell[],
  moves warehouse.move[], taken numeric[], given numeric[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id,
    warehouse_id, location_id, lot_id, status, qty, balance_after, unit_cost, amount)
  SELECT company, c.seq, moment, posting, c.n, day, c.p, c.w, c.l, c.b, c.s, c.d, c.after, round(v.a / c.d, 6), v.a
    FROM unnest(cells) WITH ORDINALITY AS c(s, w, p, l, b, d, after, seq, bad, n)
    LEFT JOIN (
      SELECT s, w, p, l, b, sum(a) AS a FROM (
        SELECT fs AS s, fw AS w, p, fl AS l, fb AS b, -coalesce(given[n], nullif(taken[n], 0)) AS a FROM unnest(moves)
        UNION ALL SELECT ts, tw, p, tl, tb, coalesce(given[n], nullif(taken[n], 0)) FROM unnest(moves)) AS leg
       GROUP BY 1, 2, 3, 4, 5) AS v
      ON (v.s, v.w, v.p, v.l, v.b) = (c.s, c.w, c.p, c.l, c.b);
END $$;

-- Reads moves and settles where the value of what comes in is from: layers that come from inside are carried on, what
-- comes from outside without a word of its cost is worth what the last layer was.
CREATE FUNCTION warehouse.moves_of(list jsonb) RETURNS warehouse.move[] LANGUAGE plpgsql AS $$
DECLARE
  moves warehouse.move[];
BEGIN
  SELECT array_agg(ROW(m.n, m.p, m.q, m.fw, m.fl, m.fb, m.fs, m.tw, m.tl, m.tb, m.ts, m.r,
           CASE WHEN x.comes THEN CASE WHEN x.goes THEN 'CARRY' ELSE coalesce(m.k, 'LAST') END END,
           CASE WHEN x.comes AND x.goes THEN -m.n ELSE m.g END, m.a, m.w, m.od, m.st, m.c)::warehouse.move ORDER BY m.n)
    INTO moves
    FROM jsonb_populate_recordset(NULL::warehouse.move, list) AS m CROSS JOIN LATERAL (
      SELECT warehouse.leaves(m.fs, m.fw, m.fb, m.ts, m.tw, m.tb) AS goes,
             warehouse.leaves(m.ts, m.tw, m.tb, m.fs, m.fw, m.fb) AS comes) AS x;
  IF EXISTS (
    SELECT FROM unnest(moves) AS m WHERE g IS NOT NULL GROUP BY g
    HAVING bool_or(k = 'CARRY') AND sum(q) FILTER (WHERE k = 'CARRY')
       IS DISTINCT FROM sum(q) FILTER (WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb))
  ) THEN
    RAISE EXCEPTION 'pieces that carry layers on are not as many as those that gave them' USING ERRCODE = 'WH099';
  END IF;
  -- What comes back as the same product leaves no entry that could say what became of its value.
  IF EXISTS (
    SELECT FROM unnest(moves) AS m WHERE g > 0 GROUP BY g, p
    HAVING bool_or(k IS NULL) AND bool_or(k IS NOT NULL)
  ) THEN
    PERFORM warehouse.refuse('WH009', '调出SKU与调入SKU不能相同');
  END IF;
  RETURN moves;
END $$;

-- Posts one event. The argument is made by server/ledger/post.ts, which also says what it means.
-- Answers { id, repeated }: an event that was posted before is answered with its first posting.
CREATE FUNCTION warehouse.post(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
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
  IF EXISTS (SELECT FROM unnest(moves) WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb)) THEN
    taken := warehouse.take_layers(company, posting, moment, moves);
  END IF;
  IF EXISTS (SELECT FROM unnest(moves) WHERE k IS NOT NULL AND fs IN ('OUTSIDE', 'EXPECTED')) THEN
    given := warehouse.make_layers(company, posting, moment, day, moves, taken);
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

