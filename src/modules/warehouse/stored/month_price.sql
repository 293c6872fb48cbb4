-- Step 2, after month_gather(): one price for each pool, and what each issue hands on. Where value flows in a circle the
-- pools are gone through again, until no price moves by more than rounding does; what a last round may leave over stays
-- with the pieces of its pool. A second closing leaves such rests alone, so that one which finds nothing new changes
-- nothing. `event` holds `month`, its first day. Answers { rounds }.
CREATE OR REPLACE FUNCTION warehouse.month_price(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
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

CALL kit.keep_function('warehouse.month_price(jsonb)', 'erp_ledger', true);
