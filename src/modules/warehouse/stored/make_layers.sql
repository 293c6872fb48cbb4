-- New layers for what comes in from outside with a value of its own. Returns the value of every move that came in from
-- outside by its number, those included that took over the layers of others.
CREATE OR REPLACE FUNCTION warehouse.make_layers(company uuid, posting uuid, moment timestamptz, day date, moves warehouse.move[], taken numeric[])
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

CALL kit.keep_function('warehouse.make_layers(uuid,uuid,timestamp with time zone,date,warehouse.move[],numeric[])', 'erp_ledger');
