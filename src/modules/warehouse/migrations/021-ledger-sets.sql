-- Documents of many lines: fewer passes over their layers, and one order of locks even where a layer was emptied by
-- another posting while this one waited for it.

-- As before; what comes back is in the order in which it was locked, so that it need not be sorted again.
CREATE OR REPLACE FUNCTION warehouse.apply(company uuid, legs warehouse.cell[]) RETURNS warehouse.cell[] LANGUAGE plpgsql AS $$
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
  SELECT array_agg(cell) INTO cells FROM put;
  RETURN coalesce(cells, '{}');
END $$;

-- What take_one() does, for many moves at once: each of another cell of layers, each with all its pieces in the oldest
-- layer. Answers null, and has changed nothing, where it is not so; then its locks are given back by the caller.
CREATE FUNCTION warehouse.take_firsts(company uuid, posting uuid, moment timestamptz, moves warehouse.move[], goers int)
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  hits int;
  taken numeric[];
BEGIN
  WITH need AS (
    SELECT m.n, m.k, m.p, m.q, m.fw, m.fb, m.fs = 'IN_TRANSIT' AS tr, m.tw, m.tb, m.ts
      FROM unnest(moves) AS m WHERE warehouse.leaves(m.fs, m.fw, m.fb, m.ts, m.tw, m.tb)
  ), oldest AS (
    SELECT need.*, c.id FROM need CROSS JOIN LATERAL (
      SELECT l.id FROM warehouse.cost_layer AS l
       WHERE l.company_id = company AND l.product_id = need.p AND l.warehouse_id = need.fw AND l.lot_id = need.fb
         AND l.in_transit = need.tr AND l.open
       ORDER BY l.original_date, l.id LIMIT 1) AS c
  ), locked AS MATERIALIZED (
    SELECT o.n, o.k, o.p, o.q, o.tw, o.tb, o.ts, l.id, l.qty_remaining AS have, l.amount_remaining AS worth,
           l.original_date, l.cost_state, l.components, l.amount_in
      FROM oldest AS o JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = o.id
     ORDER BY l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.original_date, l.id FOR UPDATE OF l
  ), piece AS MATERIALIZED (
    SELECT locked.*, round(worth * q / have, 4) AS a FROM locked
     WHERE (SELECT count(*) = goers AND count(DISTINCT id) = goers AND bool_and(have >= q) FROM locked)
  ), less AS (
    UPDATE warehouse.cost_layer AS l
       SET qty_remaining = p.have - p.q, amount_remaining = p.worth - p.a, open = p.have > p.q
      FROM piece AS p WHERE l.company_id = company AND l.id = p.id
  ), used AS (
    INSERT INTO warehouse.layer_consumption (company_id, posting_id, move_no, layer_id, posted_at, qty, amount)
    SELECT company, posting, n, id, moment, q, a FROM piece
  ), child AS (
    INSERT INTO warehouse.cost_layer (company_id, product_id, warehouse_id, lot_id, in_transit, cost_pool_id,
      source_posting_id, source_move, parent_layer_id, received_at, original_date, qty_in, qty_remaining, amount_in,
      amount_remaining, components, cost_state)
    SELECT company, p.p, p.tw, p.tb, p.ts = 'IN_TRANSIT', coalesce(w.cost_pool_id, w.id), posting, p.n, p.id, moment,
           p.original_date, p.q, p.q, p.a, p.a, warehouse.scaled(p.components, p.a, p.amount_in), p.cost_state
      FROM piece AS p JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = p.tw
     WHERE p.k = 'CARRY' ORDER BY p.n
  )
  SELECT count(s.n), array_agg(coalesce(s.a, 0) ORDER BY m.n) INTO hits, taken
    FROM unnest(moves) AS m LEFT JOIN piece AS s USING (n);
  RETURN CASE WHEN hits = goers THEN taken END;
END $$;

-- Takes pieces out of layers wherever they lie, oldest first. Answers null where a layer that it counted on was emptied
-- while it waited; then the caller gives its locks back and asks again.
CREATE FUNCTION warehouse.take_pieces(company uuid, posting uuid, moment timestamptz, moves warehouse.move[], by_date boolean)
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  enough boolean;
  taken numeric[];
BEGIN
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
  IF NOT enough THEN
    RETURN NULL;
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

-- Takes pieces out of layers, oldest first, and hands those that stay in the house on to new layers with the same age.
-- A part of a layer costs round(rest x pieces / rest of pieces, 4); the last piece takes all that is left.
-- Returns the value that each move took out, by its number.
CREATE OR REPLACE FUNCTION warehouse.take_layers(company uuid, posting uuid, moment timestamptz, moves warehouse.move[])
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  by_date boolean := coalesce((SELECT fifo_by = 'DATE' FROM warehouse.setting WHERE company_id = company), true);
  taken numeric[];
  goers int[] := ARRAY(SELECT n FROM unnest(moves) WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb));
  grouped boolean := EXISTS (SELECT FROM unnest(moves) WHERE g > 0);
BEGIN
  IF cardinality(goers) = 1 AND by_date THEN
    taken := warehouse.take_one(company, posting, moment, moves[goers[1]], cardinality(moves));
    IF taken IS NOT NULL THEN
      RETURN taken;
    END IF;
  END IF;
  FOR tries IN 1..100 LOOP
    -- What was locked in vain is given back with the block, so that the next try locks all of it in order again.
    BEGIN
      IF tries = 1 AND by_date AND NOT grouped AND cardinality(goers) > 1 THEN
        taken := warehouse.take_firsts(company, posting, moment, moves, cardinality(goers));
      ELSE
        taken := warehouse.take_pieces(company, posting, moment, moves, by_date);
      END IF;
      IF taken IS NULL THEN
        RAISE EXCEPTION 'look again' USING ERRCODE = 'WH100';
      END IF;
      RETURN taken;
    EXCEPTION WHEN SQLSTATE 'WH100' THEN
      taken := NULL;
    END;
  END LOOP;
  RAISE EXCEPTION 'stock without a cost layer' USING ERRCODE = 'WH099';
END $$;

GRANT CREATE ON SCHEMA warehouse TO erp_ledger;
REVOKE ALL ON FUNCTION warehouse.take_firsts, warehouse.take_pieces FROM PUBLIC;
ALTER FUNCTION warehouse.take_firsts OWNER TO erp_ledger;
ALTER FUNCTION warehouse.take_pieces OWNER TO erp_ledger;
REVOKE CREATE ON SCHEMA warehouse FROM erp_ledger;
