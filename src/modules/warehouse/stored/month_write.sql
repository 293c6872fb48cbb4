-- Step 3, after month_price(): writes prices, corrections of issues, and entries that move value and no piece. `event`
-- holds the key, the name and the operator of a posting as for post(), and `month`, its first day. A second closing, after
-- the month was opened again, goes on from the one before. Answers { issues: how many cost something else now, outgoing: by
-- how much what left the company costs more, CNY }.
CREATE OR REPLACE FUNCTION warehouse.month_write(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan SET work_mem = '64MB' AS $$
#variable_conflict use_column
DECLARE
  company uuid := kit.company();
  begins date := (event->>'month')::date;
  after date := (begins + interval '1 month')::date;
  ends date := after - 1;
  dated date;
  posting uuid;
  result jsonb;
BEGIN
  PERFORM warehouse.require_month(begins);
  INSERT INTO warehouse.month_cost (company_id, month, product_id, warehouse_id, qty, amount, issued_qty, provisional, issued_amount)
  SELECT company, begins, x.p, x.w, x.qty + x.issued, x.worth + x.cost + x.carried + x.returned + x.pushed, x.issued, x.before, s.fair
    FROM pg_temp.m_pool AS x
    JOIN (SELECT i.pool, sum(i.fair) AS fair FROM pg_temp.m_issue AS i GROUP BY 1) AS s ON s.pool = x.id
  ON CONFLICT (company_id, month, product_id, warehouse_id) DO UPDATE
     SET qty = excluded.qty, amount = excluded.amount, issued_qty = excluded.issued_qty, provisional = excluded.provisional,
         issued_amount = excluded.issued_amount;

  INSERT INTO warehouse.issue_cost (company_id, month, kind, posting_id, move_no, layer_id, product_id, warehouse_id, amount)
  SELECT company, begins, CASE WHEN i.onward THEN 'ON' ELSE 'OUT' END,
         i.posting, i.move, i.layer, i.p, i.w, i.fair - i.cost
    FROM pg_temp.m_issue AS i WHERE i.fair <> i.cost
  UNION ALL
  -- Lost on the way.
  SELECT company, date_trunc('month', f.day)::date, 'OUT', f.by_posting, f.by_move, f.via, f.p, f.w, sum(f.a)
    FROM pg_temp.m_flow AS f WHERE f.kind = 'OUT' GROUP BY 2, f.by_posting, f.by_move, f.via, f.p, f.w HAVING sum(f.a) <> 0
  UNION ALL
  SELECT company, begins, 'CARRY', NULL, NULL, NULL, x.p, x.w, -x.carried FROM pg_temp.m_pool AS x WHERE x.carried <> 0
  UNION ALL
  SELECT company, begins, 'OUT', r.id, c.move_no, c.layer_id, c.product_id, c.warehouse_id, -sum(c.amount)
    FROM warehouse.stock_posting AS r
    JOIN warehouse.issue_cost AS c ON c.company_id = company AND c.posting_id IN (r.id, r.reverses_id) AND c.kind = 'OUT'
   WHERE r.company_id = company AND r.business_date BETWEEN begins AND ends AND r.reverses_id IS NOT NULL
   GROUP BY r.id, c.move_no, c.layer_id, c.product_id, c.warehouse_id HAVING sum(c.amount) <> 0;

  -- What the pieces that stayed are worth more or less; of those that have left since, the month after has to bear it.
  CREATE TEMP TABLE m_value (p uuid, w uuid, t boolean, day date, a numeric) ON COMMIT DROP;
  WITH due AS (
    SELECT x.p, x.w, x.qty, x.carried + x.returned + x.pushed - coalesce(s.a, 0) AS a
      FROM pg_temp.m_pool AS x
      LEFT JOIN (SELECT i.pool, sum(i.fair - i.cost) AS a FROM pg_temp.m_issue AS i GROUP BY 1) AS s ON s.pool = x.id
  ), held AS (
    SELECT l.id, l.product_id AS p, l.warehouse_id AS w, l.original_date, l.qty_remaining AS q, l.amount_remaining AS a
      FROM due AS d
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.product_id = d.p AND l.warehouse_id = d.w AND NOT l.in_transit AND l.open
      JOIN warehouse.stock_posting AS o ON o.company_id = company AND o.id = l.source_posting_id AND o.business_date <= ends
     WHERE d.a <> 0
  ), pool AS (
    SELECT d.p, d.w, d.a, h.whole, h.pieces,
           CASE WHEN d.qty > 0 AND h.pieces > 0 THEN greatest(round(d.a * least(h.pieces, d.qty) / d.qty, 4), -h.whole) ELSE 0 END AS stay
      FROM due AS d LEFT JOIN (SELECT p, w, sum(a) AS whole, sum(q) AS pieces FROM held GROUP BY 1, 2) AS h USING (p, w)
     WHERE d.a <> 0
  ), share AS (
    SELECT h.id, round((x.whole + x.stay) * sum(h.q) OVER upto / x.pieces, 4)
             - round((x.whole + x.stay) * (sum(h.q) OVER upto - h.q) / x.pieces, 4) AS fair, h.a
      FROM held AS h JOIN pool AS x USING (p, w)
     WHERE x.stay <> 0
    WINDOW upto AS (PARTITION BY h.p, h.w ORDER BY h.original_date, h.id)
  ), put AS (
    UPDATE warehouse.cost_layer AS l SET amount_remaining = s.fair, restated = l.restated + s.fair - s.a
      FROM share AS s WHERE l.company_id = company AND l.id = s.id AND s.fair <> s.a
  ), carried AS (
    INSERT INTO warehouse.issue_cost (company_id, month, kind, product_id, warehouse_id, amount)
    SELECT company, after, 'CARRY', x.p, x.w, x.a - x.stay FROM pool AS x WHERE x.a <> x.stay
  )
  INSERT INTO pg_temp.m_value
  SELECT x.p, x.w, false, ends, x.a FROM pool AS x
  UNION ALL SELECT x.p, x.w, false, after, x.stay - x.a FROM pool AS x WHERE x.a <> x.stay;

  -- What arrived after the month: into what is there by pieces (or from it by value, so that none falls below 0).
  WITH late AS (
    SELECT f.p, f.w, max(f.day) AS day, sum(f.a) AS a FROM pg_temp.m_flow AS f
     WHERE f.kind = 'POOL' AND f.day > ends GROUP BY 1, 2 HAVING sum(f.a) <> 0
  ), held AS (
    SELECT l.id, l.product_id AS p, l.warehouse_id AS w, l.qty_remaining AS q, l.amount_remaining AS a
      FROM late AS d
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.product_id = d.p AND l.warehouse_id = d.w AND NOT l.in_transit AND l.open
  ), pool AS (
    SELECT d.p, d.w, d.day, d.a, CASE WHEN h.p IS NULL THEN 0 ELSE greatest(d.a, -h.whole) END AS stay
      FROM late AS d LEFT JOIN (SELECT p, w, sum(a) AS whole FROM held GROUP BY 1, 2) AS h USING (p, w)
  ), weighed AS (
    SELECT h.id, x.stay, CASE WHEN x.stay < 0 THEN h.a ELSE h.q END AS weight, h.p, h.w FROM held AS h JOIN pool AS x USING (p, w) WHERE x.stay <> 0
  ), share AS (
    SELECT h.id, round(h.stay * sum(h.weight) OVER upto / sum(h.weight) OVER whole, 4)
             - round(h.stay * (sum(h.weight) OVER upto - h.weight) / sum(h.weight) OVER whole, 4) AS a
      FROM weighed AS h WINDOW whole AS (PARTITION BY h.p, h.w), upto AS (PARTITION BY h.p, h.w ORDER BY h.id)
  ), put AS (
    UPDATE warehouse.cost_layer AS l SET amount_remaining = l.amount_remaining + s.a, restated = l.restated + s.a
      FROM share AS s WHERE l.company_id = company AND l.id = s.id AND s.a <> 0
  ), carried AS (
    INSERT INTO warehouse.issue_cost (company_id, month, kind, product_id, warehouse_id, amount)
    SELECT company, date_trunc('month', x.day)::date, 'CARRY', x.p, x.w, x.a - x.stay FROM pool AS x WHERE x.a <> x.stay
  )
  INSERT INTO pg_temp.m_value SELECT x.p, x.w, false, x.day, x.stay FROM pool AS x WHERE x.stay <> 0;

  -- What is on its way, or was until after the month.
  WITH way AS (
    SELECT l.id, l.product_id AS p, l.warehouse_id AS w, f.a, greatest(f.a, -l.amount_remaining) AS stay
      FROM (SELECT via, sum(a) AS a FROM pg_temp.m_flow WHERE kind = 'LAYER' GROUP BY 1 HAVING sum(a) <> 0) AS f
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = f.via
  ), put AS (
    UPDATE warehouse.cost_layer AS l SET amount_remaining = l.amount_remaining + x.stay, restated = l.restated + x.stay
      FROM way AS x WHERE l.company_id = company AND l.id = x.id
  ), carried AS (
    INSERT INTO warehouse.issue_cost (company_id, month, kind, product_id, warehouse_id, amount)
    SELECT company, after, 'CARRY', x.p, x.w, sum(x.a - x.stay) FROM way AS x GROUP BY x.p, x.w HAVING sum(x.a - x.stay) <> 0
  )
  INSERT INTO pg_temp.m_value
  SELECT x.p, x.w, true, ends, x.stay FROM way AS x
  UNION ALL
  SELECT l.product_id, l.warehouse_id, true, d.day, CASE WHEN d.day = ends THEN f.a ELSE -f.a END
    FROM pg_temp.m_flow AS f JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = f.via
   CROSS JOIN LATERAL (VALUES (ends), (f.day)) AS d(day)
   WHERE f.kind <> 'LAYER' AND f.day > ends;

  FOR dated IN SELECT DISTINCT v.day FROM pg_temp.m_value AS v WHERE v.a <> 0 ORDER BY 1 LOOP
    INSERT INTO warehouse.stock_posting (company_id, source_type, source_id, source_event, event_seq, source_number,
      business_date, operator_id, operator_name, note)
    VALUES (company, event->>'type', event->>'id', event->>'event' || CASE WHEN dated = ends THEN '' ELSE '.' || dated END,
      (event->>'seq')::int, event->>'number', dated, (event->>'operatorId')::uuid, event->>'operator', event->>'note')
    RETURNING id INTO posting;
    PERFORM warehouse.write_values(company, posting, dated, array_agg(s.p), array_agg(s.w), array_agg(s.t), array_agg(s.a))
       FROM (SELECT v.p, v.w, v.t, sum(v.a) AS a FROM pg_temp.m_value AS v WHERE v.day = dated GROUP BY 1, 2, 3 HAVING sum(v.a) <> 0) AS s;
  END LOOP;

  SELECT jsonb_build_object('issues', count(*) FILTER (WHERE i.fair <> i.cost),
           'outgoing', coalesce(sum(i.fair - i.cost) FILTER (WHERE NOT i.onward), 0)::text)
    INTO result FROM pg_temp.m_issue AS i;
  RETURN result;
END $$;

CALL kit.keep_function('warehouse.month_write(jsonb)', 'erp_ledger', true);
