-- What take_layers() does, for pieces wherever they lie, and for groups of moves that hand layers on. Answers null where a
-- layer that it counted on was emptied while it waited; then the caller gives its locks back and asks again.
CREATE OR REPLACE FUNCTION warehouse.take_pieces(company uuid, posting uuid, moment timestamptz, moves warehouse.move[], by_date boolean)
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  enough boolean;
  taken numeric[];
  own uuid[] := CASE WHEN EXISTS (SELECT FROM unnest(moves) WHERE fs = 'IN_TRANSIT')
    THEN warehouse.own_postings(company, posting) END;
BEGIN
  WITH need AS (
    SELECT p, fw, fb, fs = 'IN_TRANSIT' AS tr, sum(q) AS q FROM unnest(moves) WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb)
     GROUP BY 1, 2, 3, 4
  ), candidate AS (
    SELECT c.id FROM need CROSS JOIN LATERAL (
      SELECT l.id, sum(l.qty_remaining) OVER (
               ORDER BY l.in_transit AND l.source_posting_id <> ALL (own), CASE WHEN by_date THEN l.original_date END, l.id
             ) - l.qty_remaining AS before
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
                    ORDER BY l.in_transit AND l.source_posting_id <> ALL (own),
                             CASE WHEN by_date THEN l.original_date END, l.id)
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

CALL kit.keep_function('warehouse.take_pieces(uuid,uuid,timestamp with time zone,warehouse.move[],boolean)', 'erp_ledger');
