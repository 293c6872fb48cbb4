-- Closing a month in three steps, so that who waits for it sees how far it is and may call it off before anything is
-- written: gather what the month issued, price it, write it down. The steps share tables of the transaction, which only the
-- ledger can make and fill. In them issues and pools have small numbers: joining by pairs of ids took most of the time.

-- The task that closes the month, while it does.
ALTER TABLE warehouse.inventory_period ADD COLUMN task_id uuid;

-- What a month is made of was looked for among all postings.
CREATE INDEX stock_posting_day ON warehouse.stock_posting (company_id, business_date);
-- A posting of many lines has many layers: those that a line made are found without reading the others.
CREATE INDEX cost_layer_source ON warehouse.cost_layer (company_id, source_posting_id, parent_layer_id);
DROP INDEX warehouse.cost_layer_posting;

DROP FUNCTION warehouse.close_month(jsonb);

-- Refuses tables that somebody else made under these names, and those of another month.
CREATE FUNCTION warehouse.require_month(begins date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('pg_temp.m_month') AND relowner = 'erp_ledger'::regrole) THEN
    RAISE EXCEPTION 'month was not gathered' USING ERRCODE = 'WH099';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_temp.m_month AS m WHERE m.company = kit.company() AND m.begins = require_month.begins) THEN
    RAISE EXCEPTION 'another month was gathered' USING ERRCODE = 'WH099';
  END IF;
END $$;

-- Step 1: the issues of a month that is over, where what they hand on goes, and the pools that they are priced in. Waits for
-- postings that are under way and keeps new ones waiting. `event` holds `month`, its first day. Answers { issues, pools }.
CREATE FUNCTION warehouse.month_gather(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan SET work_mem = '64MB' AS $$
#variable_conflict use_column
DECLARE
  company uuid := kit.company();
  begins date := (event->>'month')::date;
  ends date := (begins + interval '1 month')::date - 1;
  assembly uuid := warehouse.virtual_id(company, 'ASSEMBLY');
  step int := 0;
  changed int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('warehouse.gate:' || company, 0));
  DROP TABLE IF EXISTS pg_temp.m_month, pg_temp.m_issue, pg_temp.m_flow, pg_temp.m_pool, pg_temp.m_edge, pg_temp.m_value;
  -- `circle`: value flows from a pool back to itself. `again`: the month had prices before.
  CREATE TEMP TABLE m_month ON COMMIT DROP AS
    SELECT company AS company, begins AS begins, false AS circle,
           EXISTS (SELECT FROM warehouse.month_cost AS c WHERE c.company_id = company AND c.month = begins) AS again;
  CREATE TEMP TABLE m_issue ON COMMIT DROP AS
    SELECT row_number() OVER (ORDER BY i.posting, i.move, i.layer)::int AS id, 0 AS pool, false AS onward, i.*, i.cost AS fair,
           sum(i.q) OVER (PARTITION BY i.p, i.w ORDER BY i.posting, i.move, i.layer) AS upto
      FROM warehouse.issues_of(company, begins, ends) AS i;
  ANALYZE pg_temp.m_issue;

  -- Where the correction of an issue goes (`onward`: to other pieces), with the weight of each way: of `whole` the part up
  -- to `upto`. `via`: the pieces went on their way before.
  CREATE TEMP TABLE m_flow ON COMMIT DROP AS
  WITH child AS (
    SELECT i.id AS issue, k.id, k.product_id, k.warehouse_id, k.in_transit, k.qty_in, k.qty_remaining, k.qty_in::numeric AS weight
      FROM pg_temp.m_issue AS i
      JOIN warehouse.cost_layer AS k ON k.company_id = company AND k.source_posting_id = i.posting AND k.parent_layer_id = i.layer
       AND (k.source_move = i.move OR k.product_id <> i.p)
    UNION ALL
    -- A set takes over what its parts cost.
    SELECT i.id, k.id, k.product_id, k.warehouse_id, k.in_transit, k.qty_in, k.qty_remaining,
           CASE WHEN sum(k.amount_in) OVER (PARTITION BY i.id) > 0 THEN k.amount_in ELSE k.qty_in END
      FROM pg_temp.m_issue AS i
      JOIN warehouse.cost_layer AS k ON k.company_id = company AND k.source_posting_id = i.posting AND k.parent_layer_id IS NULL
     WHERE EXISTS (SELECT FROM warehouse.stock_entry AS e WHERE e.company_id = company AND e.posting_id = i.posting
              AND e.product_id = i.p AND e.warehouse_id = assembly AND e.qty > 0)
       AND EXISTS (SELECT FROM warehouse.stock_entry AS e WHERE e.company_id = company AND e.posting_id = i.posting
              AND e.product_id = k.product_id AND e.warehouse_id = assembly AND e.qty < 0)
  ), onward AS (
    SELECT c.issue, c.id AS via, u.posting_id, u.move_no, o.reverses_id IS NOT NULL AS back, o.business_date,
           c.weight * u.qty / c.qty_in AS weight, g.product_id, g.warehouse_id
      FROM child AS c
      JOIN warehouse.layer_consumption AS u ON u.company_id = company AND u.layer_id = c.id AND u.qty > 0
      JOIN warehouse.stock_posting AS o ON o.company_id = company AND o.id = u.posting_id
       AND NOT EXISTS (SELECT FROM warehouse.stock_posting AS r WHERE r.company_id = company AND r.reverses_id = o.id)
      LEFT JOIN LATERAL (SELECT k.product_id, k.warehouse_id FROM warehouse.cost_layer AS k
         WHERE k.company_id = company AND k.source_posting_id = u.posting_id AND k.parent_layer_id = c.id AND NOT k.in_transit
         ORDER BY k.source_move <> u.move_no, k.id LIMIT 1) AS g ON true
     WHERE c.in_transit
  ), way AS (
    SELECT issue, 'POOL' AS kind, NULL::uuid AS via, NULL::uuid AS by_posting, NULL::int AS by_move, ends AS day,
           product_id AS p, warehouse_id AS w, weight
      FROM child WHERE NOT in_transit
    UNION ALL
    SELECT issue, 'LAYER', id, NULL, NULL, ends, product_id, warehouse_id, weight * qty_remaining / qty_in
      FROM child WHERE in_transit AND qty_remaining > 0
    UNION ALL
    -- A dispatch that was taken back later gives its value back to where it came from.
    SELECT o.issue, CASE WHEN o.back OR o.product_id IS NOT NULL THEN 'POOL' ELSE 'OUT' END, o.via,
           o.posting_id, o.move_no, greatest(o.business_date, ends), CASE WHEN o.back THEN i.p ELSE coalesce(o.product_id, i.p) END,
           CASE WHEN o.back THEN i.w ELSE coalesce(o.warehouse_id, i.w) END, o.weight
      FROM onward AS o JOIN pg_temp.m_issue AS i ON i.id = o.issue
  )
  SELECT x.*, 0 AS pool, sum(x.weight) OVER (PARTITION BY x.issue) AS whole,
         sum(x.weight) OVER (PARTITION BY x.issue ORDER BY x.id) AS upto, 0::numeric AS a
    FROM (SELECT row_number() OVER (ORDER BY issue, via, by_posting, by_move, p, w)::int AS id, way.* FROM way) AS x;
  ANALYZE pg_temp.m_flow;

  -- A product in a warehouse. `pushed` is what others handed to it; it has to bear what an earlier closing carried over,
  -- and what returns of earlier issues must bring back beyond what they had cost at first. `due`: its price is to be found
  -- (again). Its issues took `issued` pieces and cost `cost` so far. `slack`: rounding in a circle may move a price for ever
  -- by this much.
  CREATE TEMP TABLE m_pool ON COMMIT DROP AS
  WITH carried AS (
    SELECT product_id AS p, warehouse_id AS w, sum(amount) AS a FROM warehouse.issue_cost
     WHERE company_id = company AND month = begins AND kind = 'CARRY' GROUP BY 1, 2
  ), returned AS (
    SELECT c.product_id AS p, c.warehouse_id AS w, sum(c.amount) AS a
      FROM warehouse.stock_posting AS r
      JOIN warehouse.issue_cost AS c ON c.company_id = company AND c.posting_id IN (r.id, r.reverses_id) AND c.kind = 'OUT'
     WHERE r.company_id = company AND r.business_date BETWEEN begins AND ends AND r.reverses_id IS NOT NULL GROUP BY 1, 2
  ), issued AS (
    SELECT p, w, sum(q) AS q, sum(before) AS before, sum(cost) AS cost FROM pg_temp.m_issue GROUP BY 1, 2
  )
  SELECT row_number() OVER (ORDER BY x.p, x.w)::int AS id, x.p, x.w, 0 AS rank, coalesce(c.a, 0) AS carried,
         coalesce(r.a, 0) AS returned, 0::numeric AS pushed, coalesce(h.qty, 0) - coalesce(e.qty, 0) AS qty,
         coalesce(h.a, 0) - coalesce(e.a, 0) AS worth, coalesce(s.q, 0)::int AS issued, coalesce(s.before, 0) AS before,
         coalesce(s.cost, 0) AS cost, true AS due, 0::numeric AS slack
    FROM (SELECT p, w FROM issued UNION SELECT p, w FROM pg_temp.m_flow WHERE kind = 'POOL'
          UNION SELECT p, w FROM carried UNION SELECT p, w FROM returned) AS x
    LEFT JOIN carried AS c USING (p, w) LEFT JOIN returned AS r USING (p, w) LEFT JOIN issued AS s USING (p, w)
    LEFT JOIN LATERAL (SELECT sum(l.qty_remaining)::int AS qty, sum(l.amount_remaining) AS a FROM warehouse.cost_layer AS l
       WHERE l.company_id = company AND l.product_id = x.p AND l.warehouse_id = x.w AND NOT l.in_transit AND l.open) AS h ON true
    LEFT JOIN LATERAL (SELECT sum(s.qty)::int AS qty, sum(s.amount) AS a FROM warehouse.stock_entry AS s
       WHERE s.company_id = company AND s.product_id = x.p AND s.warehouse_id = x.w AND s.business_date > ends
         AND s.posted_at >= ends - interval '1 day' AND s.status NOT IN ('OUTSIDE', 'EXPECTED', 'IN_TRANSIT')) AS e ON true;
  ANALYZE pg_temp.m_pool;
  UPDATE pg_temp.m_issue AS i SET pool = x.id, onward = f.issue IS NOT NULL
    FROM pg_temp.m_issue AS j
    JOIN pg_temp.m_pool AS x ON (x.p, x.w) = (j.p, j.w)
    LEFT JOIN (SELECT DISTINCT issue FROM pg_temp.m_flow) AS f ON f.issue = j.id
   WHERE j.id = i.id;
  UPDATE pg_temp.m_flow AS f SET pool = x.id FROM pg_temp.m_pool AS x WHERE (x.p, x.w) = (f.p, f.w) AND f.kind = 'POOL';
  CREATE INDEX ON pg_temp.m_issue (pool);
  CREATE INDEX ON pg_temp.m_flow (issue);
  CREATE INDEX ON pg_temp.m_flow (pool);
  ANALYZE pg_temp.m_issue, pg_temp.m_flow;

  -- Pools in the order in which value flows through them. Where it flows in a circle there is no end to that.
  CREATE TEMP TABLE m_edge ON COMMIT DROP AS
    SELECT DISTINCT i.pool AS source, f.pool AS target FROM pg_temp.m_flow AS f JOIN pg_temp.m_issue AS i ON i.id = f.issue
     WHERE f.kind = 'POOL' AND f.day = ends AND f.pool <> i.pool;
  ANALYZE pg_temp.m_edge;
  LOOP
    UPDATE pg_temp.m_pool AS t SET rank = e.rank
      FROM (SELECT e.target, max(s.rank) + 1 AS rank FROM pg_temp.m_edge AS e JOIN pg_temp.m_pool AS s ON s.id = e.source GROUP BY 1) AS e
     WHERE t.id = e.target AND t.rank < e.rank;
    GET DIAGNOSTICS changed = ROW_COUNT;
    step := step + 1;
    EXIT WHEN changed = 0 OR step > 20;
  END LOOP;
  UPDATE pg_temp.m_month SET circle = changed > 0;
  IF changed > 0 THEN
    UPDATE pg_temp.m_pool AS t SET slack = 0.0001 * (1 + e.n)
      FROM (SELECT target, count(*) AS n FROM pg_temp.m_edge GROUP BY 1) AS e WHERE t.id = e.target;
  END IF;
  RETURN jsonb_build_object('issues', (SELECT count(*) FROM pg_temp.m_issue), 'pools', (SELECT count(*) FROM pg_temp.m_pool));
END $$;

-- Step 2: one price for each pool, and what each issue hands on. Where value flows in a circle the pools are gone through
-- again, until no price moves by more than rounding does; what a last round may leave over stays with the pieces of its pool.
-- A second closing leaves such rests alone, so that one which finds nothing new changes nothing.
CREATE FUNCTION warehouse.month_price(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan SET work_mem = '64MB' AS $$
DECLARE
  begins date := (event->>'month')::date;
  ends date := (begins + interval '1 month')::date - 1;
  circle boolean;
  again boolean;
  moved int;
  changed int;
  rounds int := 0;
BEGIN
  PERFORM warehouse.require_month(begins);
  SELECT m.circle, m.again INTO circle, again FROM pg_temp.m_month AS m;
  FOR sweep IN 1..CASE WHEN circle THEN 200 ELSE 1 END LOOP
    moved := 0;
    rounds := sweep;
    FOR step IN 0..(SELECT coalesce(max(rank), 0) FROM pg_temp.m_pool) LOOP
      CONTINUE WHEN NOT EXISTS (SELECT FROM pg_temp.m_pool WHERE due AND rank = step);
      UPDATE pg_temp.m_issue AS i SET fair = n.fair
        FROM (SELECT y.id, y.fair, x.slack, max(abs(y.fair - y.was)) OVER (PARTITION BY x.id) AS far
                FROM (SELECT id, slack, qty + issued AS q, worth + cost + carried + returned + pushed AS a
                        FROM pg_temp.m_pool WHERE due AND rank = step AND issued > 0) AS x
               CROSS JOIN LATERAL (SELECT j.id, j.fair AS was, round(x.a * j.upto / x.q, 4) - round(x.a * (j.upto - j.q) / x.q, 4) AS fair
                                     FROM pg_temp.m_issue AS j WHERE j.pool = x.id) AS y
               WHERE x.a >= 0) AS n
       WHERE i.id = n.id AND i.fair <> n.fair AND n.far > CASE WHEN again OR sweep > 20 THEN n.slack ELSE 0 END;
      UPDATE pg_temp.m_flow AS f
         SET a = round((i.fair - i.cost) * f.upto / f.whole, 4) - round((i.fair - i.cost) * (f.upto - f.weight) / f.whole, 4)
        FROM pg_temp.m_issue AS i JOIN pg_temp.m_pool AS s ON s.id = i.pool AND s.due AND s.rank = step
       WHERE i.id = f.issue;
      UPDATE pg_temp.m_pool SET due = false WHERE due AND rank = step;
      UPDATE pg_temp.m_pool AS t SET pushed = g.a, due = true
        FROM (SELECT f.pool, sum(f.a) AS a FROM pg_temp.m_flow AS f WHERE f.kind = 'POOL' AND f.day = ends GROUP BY 1) AS g
       WHERE t.id = g.pool AND t.pushed <> g.a;
      GET DIAGNOSTICS changed = ROW_COUNT;
      moved := moved + changed;
    END LOOP;
    EXIT WHEN moved = 0;
  END LOOP;
  RETURN jsonb_build_object('rounds', rounds);
END $$;

-- Step 3: writes prices, corrections of issues, and entries that move value and no piece. `event` holds the key and the
-- operator of a posting and `month`, its first day. A second closing, after the month was opened again, goes on from the one
-- before. Answers { issues: how many cost something else now, outgoing: by how much what left the company costs more, CNY }.
CREATE FUNCTION warehouse.month_write(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
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

GRANT CREATE ON SCHEMA warehouse TO erp_ledger;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['require_month(date)', 'month_gather(jsonb)', 'month_price(jsonb)', 'month_write(jsonb)'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION warehouse.%s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION warehouse.%s OWNER TO erp_ledger', name);
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA warehouse FROM erp_ledger;
GRANT EXECUTE ON FUNCTION warehouse.month_gather, warehouse.month_price, warehouse.month_write TO erp_app;
