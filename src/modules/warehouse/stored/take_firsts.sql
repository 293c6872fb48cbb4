-- What take_one() does, for many moves at once: each of another cell of layers, each with all its pieces in the first
-- layer. Answers null, and has changed nothing, where it is not so; then its locks are given back by the caller.
CREATE OR REPLACE FUNCTION warehouse.take_firsts(company uuid, posting uuid, moment timestamptz, moves warehouse.move[], goers int)
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  hits int;
  taken numeric[];
  own uuid[] := CASE WHEN EXISTS (SELECT FROM unnest(moves) WHERE fs = 'IN_TRANSIT')
    THEN warehouse.own_postings(company, posting) END;
BEGIN
  WITH need AS (
    SELECT m.n, m.k, m.p, m.q, m.fw, m.fb, m.fs = 'IN_TRANSIT' AS tr, m.tw, m.tb, m.ts
      FROM unnest(moves) AS m WHERE warehouse.leaves(m.fs, m.fw, m.fb, m.ts, m.tw, m.tb)
  ), oldest AS (
    SELECT need.*, c.id FROM need CROSS JOIN LATERAL (
      (SELECT l.id FROM warehouse.cost_layer AS l
        WHERE NOT need.tr AND l.company_id = company AND l.product_id = need.p AND l.warehouse_id = need.fw
          AND l.lot_id = need.fb AND NOT l.in_transit AND l.open
        ORDER BY l.original_date, l.id LIMIT 1)
      UNION ALL
      (SELECT l.id FROM warehouse.cost_layer AS l
        WHERE need.tr AND l.company_id = company AND l.product_id = need.p AND l.warehouse_id = need.fw
          AND l.lot_id = need.fb AND l.in_transit AND l.open
        ORDER BY l.source_posting_id <> ALL (own), l.original_date, l.id LIMIT 1)) AS c
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

CALL kit.keep_function('warehouse.take_firsts(uuid,uuid,timestamp with time zone,warehouse.move[],integer)', 'erp_ledger');
