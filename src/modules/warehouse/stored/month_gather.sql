-- Step 1 of the closing of a month: its issues, where what they hand on goes, and the pools that they are priced in. Waits
-- for postings that are under way and keeps new ones waiting. `event` holds `month`, its first day. Answers { issues,
-- pools }.
--
-- There are three steps, month_gather(), month_price() and month_write(), so that who waits for the closing sees how far it
-- is and may call it off before anything is written. The steps share tables of the transaction, which only the ledger can
-- make and fill. In them issues and pools have small numbers: joining by pairs of ids would take most of the time.
CREATE OR REPLACE FUNCTION warehouse.month_gather(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
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

CALL kit.keep_function('warehouse.month_gather(jsonb)', 'erp_ledger', true);
