-- A document takes what is on its way from its own layers first: two transfers of one product to one warehouse each keep
-- the freight and the age of their own pieces, whichever of them arrives first.

-- The postings of the document that a posting belongs to.
CREATE FUNCTION warehouse.own_postings(company uuid, posting uuid) RETURNS uuid[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(o.id)
    FROM warehouse.stock_posting AS p
    JOIN warehouse.stock_posting AS o ON o.company_id = p.company_id AND (o.source_type, o.source_id) = (p.source_type, p.source_id)
   WHERE p.company_id = company AND p.id = posting
$$;

-- As before, but for pieces on their way: see the head of the file.
CREATE OR REPLACE FUNCTION warehouse.take_one(company uuid, posting uuid, moment timestamptz, m warehouse.move, size int)
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  l warehouse.cost_layer;
  own uuid[];
  value numeric;
  taken numeric[] := array_fill(0::numeric, ARRAY[size]);
BEGIN
  IF m.g > 0 THEN
    RETURN NULL;
  END IF;
  IF m.fs = 'IN_TRANSIT' THEN
    own := warehouse.own_postings(company, posting);
    SELECT * INTO l FROM warehouse.cost_layer AS c
     WHERE c.company_id = company AND c.product_id = m.p AND c.warehouse_id = m.fw AND c.lot_id = m.fb
       AND c.in_transit AND c.open
     ORDER BY c.source_posting_id <> ALL (own), c.original_date, c.id LIMIT 1 FOR UPDATE;
  ELSE
    SELECT * INTO l FROM warehouse.cost_layer AS c
     WHERE c.company_id = company AND c.product_id = m.p AND c.warehouse_id = m.fw AND c.lot_id = m.fb
       AND NOT c.in_transit AND c.open
     ORDER BY c.original_date, c.id LIMIT 1 FOR UPDATE;
  END IF;
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

-- As before, but for pieces on their way.
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

-- As before, but for pieces on their way.
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

GRANT CREATE ON SCHEMA warehouse TO erp_ledger;
REVOKE ALL ON FUNCTION warehouse.own_postings FROM PUBLIC;
ALTER FUNCTION warehouse.own_postings OWNER TO erp_ledger;
REVOKE CREATE ON SCHEMA warehouse FROM erp_ledger;
