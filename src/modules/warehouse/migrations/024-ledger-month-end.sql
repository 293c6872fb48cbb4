-- Valuation by the weighted average of a month. While a month is open its issues cost what first in, first out says, which
-- is provisional. Its closing computes one price for each product and warehouse (what was there and what came, by value and
-- by pieces), gives every issue of the month that price, and leaves the rest to the pieces that stay, to the last unit.
-- What an issue handed on (a transfer, a swap, parts of a set) takes its correction along, pool after pool.

ALTER TABLE warehouse.setting
  DROP CONSTRAINT setting_valuation_check, DROP CONSTRAINT setting_next_valuation_check,
  ADD CONSTRAINT setting_valuation_check CHECK (valuation IN ('FIFO', 'AVERAGE', 'MONTHLY')),
  ADD CONSTRAINT setting_next_valuation_check CHECK (next_valuation IN ('FIFO', 'AVERAGE', 'MONTHLY'));

-- By which method the month was closed: closing it again after it was opened holds to it.
ALTER TABLE warehouse.inventory_period ADD COLUMN valuation text CHECK (valuation IN ('FIFO', 'AVERAGE', 'MONTHLY'));

-- What closings brought to the layer (or took from it): amount_in + levelled + restated - consumed = amount_remaining.
ALTER TABLE warehouse.cost_layer ADD COLUMN restated numeric(18, 4) NOT NULL DEFAULT 0;

-- What closings added to the cost of an issue. CNY; all rows of an issue together are its correction so far.
CREATE TABLE warehouse.issue_cost (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- the month whose cost it is
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  -- OUT: cost of what left the company. ON: handed on to other pieces, which carry it. CARRY: of no issue yet, because the
  -- pieces left in the month after; the closing of that month shares it out.
  kind text NOT NULL CHECK (kind IN ('OUT', 'ON', 'CARRY')),
  posting_id uuid,
  move_no int,
  layer_id uuid,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  amount numeric(18, 4) NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (company_id, id),
  CHECK ((kind = 'CARRY') = (posting_id IS NULL))
);
CREATE INDEX issue_cost_posting ON warehouse.issue_cost (company_id, posting_id) WHERE posting_id IS NOT NULL;
CREATE INDEX issue_cost_month ON warehouse.issue_cost (company_id, month, product_id, warehouse_id);
CALL kit.tenant_table('warehouse.issue_cost', append_only => true);

-- The price of a month: what a product in a warehouse was worth with all that came, and what its issues took of it.
CREATE TABLE warehouse.month_cost (
  company_id uuid NOT NULL,
  month date NOT NULL,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  amount numeric(18, 4) NOT NULL,
  issued_qty int NOT NULL,
  -- what the issues had cost before the first closing, and what they cost now
  provisional numeric(18, 4) NOT NULL,
  issued_amount numeric(18, 4) NOT NULL,
  PRIMARY KEY (company_id, month, product_id, warehouse_id)
);
CALL kit.tenant_table('warehouse.month_cost');

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['issue_cost', 'month_cost'] LOOP
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON warehouse.%I FROM erp_app', name);
    EXECUTE format('GRANT SELECT, INSERT ON warehouse.%I TO erp_ledger', name);
  END LOOP;
  GRANT UPDATE ON warehouse.month_cost TO erp_ledger;
END $$;

-- Issues of the months of a closing, by the layer that they took from: what they cost so far, and whether pieces of the
-- company took them over. What was taken back within the month, and what stayed in its warehouse, is none.
CREATE FUNCTION warehouse.issues_of(company uuid, begins date, ends date)
RETURNS TABLE (posting uuid, move int, layer uuid, p uuid, w uuid, q int, before numeric, cost numeric)
LANGUAGE sql STABLE AS $$
  SELECT c.posting_id, c.move_no, c.layer_id, l.product_id, l.warehouse_id, c.qty, c.amount, c.amount + coalesce(x.amount, 0)
    FROM warehouse.stock_posting AS o
    JOIN warehouse.layer_consumption AS c ON c.company_id = company AND c.posting_id = o.id AND c.posted_at >= begins - interval '1 day'
    JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = c.layer_id AND NOT l.in_transit
    LEFT JOIN LATERAL (SELECT sum(i.amount) AS amount FROM warehouse.issue_cost AS i
       WHERE i.company_id = company AND (i.posting_id, i.move_no, i.layer_id) = (c.posting_id, c.move_no, c.layer_id)) AS x ON true
   WHERE o.company_id = company AND o.business_date BETWEEN begins AND ends AND o.reverses_id IS NULL
     AND NOT EXISTS (SELECT FROM warehouse.stock_posting AS r
        WHERE r.company_id = company AND r.reverses_id = o.id AND r.business_date <= ends)
     AND NOT EXISTS (SELECT FROM warehouse.cost_layer AS k
        WHERE k.company_id = company AND k.source_posting_id = o.id AND k.parent_layer_id = l.id
          AND (k.product_id, k.warehouse_id) = (l.product_id, l.warehouse_id) AND NOT k.in_transit)
$$;

-- Writes entries that move value and no piece, dated `day`: (products[i], houses[i], ways[i]: on its way) gets amounts[i].
-- The entry is written at one of the places where such pieces lie or last lay.
CREATE FUNCTION warehouse.write_values(company uuid, posting uuid, day date, products uuid[], houses uuid[], ways boolean[],
  amounts numeric[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH cell AS (
    SELECT DISTINCT ON (x.p, x.w, x.t) x.a, h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id
      FROM unnest(products, houses, ways, amounts) AS x(p, w, t, a)
      JOIN warehouse.stock_balance AS h ON h.company_id = company AND h.product_id = x.p AND h.warehouse_id = x.w
       AND h.status NOT IN ('OUTSIDE', 'EXPECTED') AND (h.status = 'IN_TRANSIT') = x.t
     ORDER BY x.p, x.w, x.t, h.qty > 0 DESC, h.status, h.location_id, h.lot_id
  ), put AS (
    UPDATE warehouse.stock_balance AS h SET delta = 0, last_seq = nextval('warehouse.stock_seq')
      FROM cell AS c
     WHERE h.company_id = company AND (h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
         = (c.warehouse_id, c.product_id, c.location_id, c.lot_id, c.status)
    RETURNING h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.qty, h.last_seq, c.a
  )
  INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id,
    warehouse_id, location_id, lot_id, status, qty, balance_after, unit_cost, amount)
  SELECT company, p.last_seq, kit.instant(), posting, row_number() OVER (ORDER BY p.last_seq), day, p.product_id,
         p.warehouse_id, p.location_id, p.lot_id, p.status, 0, p.qty, NULL, p.a FROM put AS p;
END $$;

-- Prices the issues of a month that is over, which no posting is under way for. `event` holds the key and the operator of
-- a posting and `month`, its first day. A second closing, after the month was opened again, goes on from the one before.
-- Answers { issues: how many cost something else now, outgoing: by how much what left the company costs more, CNY }.
CREATE FUNCTION warehouse.close_month(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
#variable_conflict use_column
DECLARE
  company uuid := kit.company();
  begins date := (event->>'month')::date;
  after date := (begins + interval '1 month')::date;
  ends date := after - 1;
  assembly uuid := warehouse.virtual_id(company, 'ASSEMBLY');
  step int := 0;
  changed int;
  moved int;
  circle boolean;
  dated date;
  posting uuid;
  result jsonb;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('warehouse.gate:' || company, 0));
  DROP TABLE IF EXISTS pg_temp.m_issue, pg_temp.m_flow, pg_temp.m_pool, pg_temp.m_value;
  CREATE TEMP TABLE m_issue ON COMMIT DROP AS
    SELECT i.*, i.cost AS fair FROM warehouse.issues_of(company, begins, ends) AS i;
  CREATE INDEX ON pg_temp.m_issue (posting, move, layer);
  ANALYZE pg_temp.m_issue;

  -- Where the correction of an issue goes, with the weight of each way. `via`: the pieces went on their way before.
  CREATE TEMP TABLE m_flow ON COMMIT DROP AS
  WITH child AS (
    SELECT i.posting, i.move, i.layer, k.id, k.product_id, k.warehouse_id, k.in_transit, k.qty_in, k.qty_remaining, k.qty_in::numeric AS weight
      FROM pg_temp.m_issue AS i
      JOIN warehouse.cost_layer AS k ON k.company_id = company AND k.source_posting_id = i.posting AND k.parent_layer_id = i.layer
       AND (k.source_move = i.move OR k.product_id <> i.p)
    UNION ALL
    -- A set takes over what its parts cost.
    SELECT i.posting, i.move, i.layer, k.id, k.product_id, k.warehouse_id, k.in_transit, k.qty_in, k.qty_remaining,
           CASE WHEN sum(k.amount_in) OVER (PARTITION BY i.posting, i.move, i.layer) > 0 THEN k.amount_in ELSE k.qty_in END
      FROM pg_temp.m_issue AS i
      JOIN warehouse.cost_layer AS k ON k.company_id = company AND k.source_posting_id = i.posting AND k.parent_layer_id IS NULL
     WHERE EXISTS (SELECT FROM warehouse.stock_entry AS e WHERE e.company_id = company AND e.posting_id = i.posting
              AND e.product_id = i.p AND e.warehouse_id = assembly AND e.qty > 0)
       AND EXISTS (SELECT FROM warehouse.stock_entry AS e WHERE e.company_id = company AND e.posting_id = i.posting
              AND e.product_id = k.product_id AND e.warehouse_id = assembly AND e.qty < 0)
  ), onward AS (
    SELECT c.posting, c.move, c.layer, c.id AS via, u.posting_id, u.move_no, o.reverses_id IS NOT NULL AS back, o.business_date,
           c.weight * u.qty / c.qty_in AS weight, g.product_id, g.warehouse_id
      FROM child AS c
      JOIN warehouse.layer_consumption AS u ON u.company_id = company AND u.layer_id = c.id AND u.qty > 0
      JOIN warehouse.stock_posting AS o ON o.company_id = company AND o.id = u.posting_id
       AND NOT EXISTS (SELECT FROM warehouse.stock_posting AS r WHERE r.company_id = company AND r.reverses_id = o.id)
      LEFT JOIN LATERAL (SELECT k.product_id, k.warehouse_id FROM warehouse.cost_layer AS k
         WHERE k.company_id = company AND k.source_posting_id = u.posting_id AND k.parent_layer_id = c.id AND NOT k.in_transit
         ORDER BY k.source_move <> u.move_no, k.id LIMIT 1) AS g ON true
     WHERE c.in_transit
  )
  SELECT row_number() OVER (ORDER BY x.posting, x.move, x.layer, x.via, x.by_posting, x.by_move, x.p, x.w) AS id, x.* FROM (
  SELECT posting, move, layer, 'POOL' AS kind, NULL::uuid AS via, NULL::uuid AS by_posting, NULL::int AS by_move, ends AS day,
         product_id AS p, warehouse_id AS w, weight, 0::numeric AS a
    FROM child WHERE NOT in_transit
  UNION ALL
  SELECT posting, move, layer, 'LAYER', id, NULL, NULL, ends, product_id, warehouse_id, weight * qty_remaining / qty_in, 0
    FROM child WHERE in_transit AND qty_remaining > 0
  UNION ALL
  -- A dispatch that was taken back later gives its value back to where it came from.
  SELECT o.posting, o.move, o.layer, CASE WHEN o.back OR o.product_id IS NOT NULL THEN 'POOL' ELSE 'OUT' END, o.via,
         o.posting_id, o.move_no, greatest(o.business_date, ends), CASE WHEN o.back THEN i.p ELSE coalesce(o.product_id, i.p) END,
         CASE WHEN o.back THEN i.w ELSE coalesce(o.warehouse_id, i.w) END, o.weight, 0
    FROM onward AS o JOIN pg_temp.m_issue AS i USING (posting, move, layer)) AS x;
  CREATE INDEX ON pg_temp.m_flow (posting, move, layer);
  ANALYZE pg_temp.m_flow;

  -- A product in a warehouse. `pushed` is what others handed to it; `extra` what it had to bear already: what an earlier
  -- closing carried over, and what returns of earlier issues must bring back beyond what they had cost at first.
  CREATE TEMP TABLE m_pool ON COMMIT DROP AS
  WITH carried AS (
    SELECT product_id AS p, warehouse_id AS w, sum(amount) AS a FROM warehouse.issue_cost
     WHERE company_id = company AND month = begins AND kind = 'CARRY' GROUP BY 1, 2
  ), returned AS (
    SELECT c.product_id AS p, c.warehouse_id AS w, sum(c.amount) AS a
      FROM warehouse.stock_posting AS r
      JOIN warehouse.issue_cost AS c ON c.company_id = company AND c.posting_id IN (r.id, r.reverses_id) AND c.kind = 'OUT'
     WHERE r.company_id = company AND r.business_date BETWEEN begins AND ends AND r.reverses_id IS NOT NULL GROUP BY 1, 2
  )
  SELECT x.p, x.w, 0 AS rank, coalesce(c.a, 0) AS carried, coalesce(r.a, 0) AS returned, 0::numeric AS pushed,
         0 AS qty, 0::numeric AS worth
    FROM (SELECT p, w FROM pg_temp.m_issue UNION SELECT p, w FROM pg_temp.m_flow WHERE kind = 'POOL'
          UNION SELECT p, w FROM carried UNION SELECT p, w FROM returned) AS x
    LEFT JOIN carried AS c USING (p, w) LEFT JOIN returned AS r USING (p, w);
  UPDATE pg_temp.m_pool AS x SET qty = coalesce(h.qty, 0) - coalesce(e.qty, 0), worth = coalesce(h.a, 0) - coalesce(e.a, 0)
    FROM pg_temp.m_pool AS y
    LEFT JOIN LATERAL (SELECT sum(l.qty_remaining)::int AS qty, sum(l.amount_remaining) AS a FROM warehouse.cost_layer AS l
       WHERE l.company_id = company AND l.product_id = y.p AND l.warehouse_id = y.w AND NOT l.in_transit AND l.open) AS h ON true
    LEFT JOIN LATERAL (SELECT sum(s.qty)::int AS qty, sum(s.amount) AS a FROM warehouse.stock_entry AS s
       WHERE s.company_id = company AND s.product_id = y.p AND s.warehouse_id = y.w AND s.business_date > ends
         AND s.posted_at >= ends - interval '1 day' AND s.status NOT IN ('OUTSIDE', 'EXPECTED', 'IN_TRANSIT')) AS e ON true
   WHERE (x.p, x.w) = (y.p, y.w);

  -- Pools in the order in which value flows through them. Where it flows in a circle they are gone through again, until
  -- no price moves; what a last round may leave over stays with the pieces of its pool.
  LOOP
    WITH edge AS (
      SELECT f.p, f.w, max(s.rank) + 1 AS rank
        FROM pg_temp.m_flow AS f
        JOIN pg_temp.m_issue AS i USING (posting, move, layer)
        JOIN pg_temp.m_pool AS s ON (s.p, s.w) = (i.p, i.w)
       WHERE f.kind = 'POOL' AND f.day = ends AND (f.p, f.w) <> (i.p, i.w) GROUP BY 1, 2
    )
    UPDATE pg_temp.m_pool AS t SET rank = e.rank FROM edge AS e WHERE (t.p, t.w) = (e.p, e.w) AND t.rank < e.rank;
    GET DIAGNOSTICS changed = ROW_COUNT;
    step := step + 1;
    EXIT WHEN changed = 0 OR step > 20;
  END LOOP;

  circle := changed > 0;
  FOR sweep IN 1..CASE WHEN circle THEN 50 ELSE 1 END LOOP
    moved := 0;
    FOR step IN 0..(SELECT coalesce(max(rank), 0) FROM pg_temp.m_pool) LOOP
      WITH pool AS (
        SELECT x.p, x.w, x.qty + s.q AS q, x.worth + s.cost + x.carried + x.returned + x.pushed AS a
          FROM pg_temp.m_pool AS x
          JOIN (SELECT i.p, i.w, sum(i.q) AS q, sum(i.cost) AS cost FROM pg_temp.m_issue AS i GROUP BY 1, 2) AS s USING (p, w)
         WHERE x.rank = step
      ), share AS (
        SELECT i.posting, i.move, i.layer, pool.a, pool.q, i.q AS part,
               sum(i.q) OVER (PARTITION BY i.p, i.w ORDER BY i.posting, i.move, i.layer) AS upto
          FROM pg_temp.m_issue AS i JOIN pool USING (p, w) WHERE pool.a >= 0
      )
      UPDATE pg_temp.m_issue AS i SET fair = round(s.a * s.upto / s.q, 4) - round(s.a * (s.upto - s.part) / s.q, 4)
        FROM share AS s WHERE (i.posting, i.move, i.layer) = (s.posting, s.move, s.layer);
      WITH part AS (
        SELECT f.id, i.fair - i.cost AS a, f.weight, sum(f.weight) OVER whole AS whole, sum(f.weight) OVER rising AS upto
          FROM pg_temp.m_flow AS f
          JOIN pg_temp.m_issue AS i USING (posting, move, layer)
          JOIN pg_temp.m_pool AS s ON (s.p, s.w) = (i.p, i.w) AND s.rank = step
        WINDOW whole AS (PARTITION BY f.posting, f.move, f.layer), rising AS (PARTITION BY f.posting, f.move, f.layer ORDER BY f.id)
      )
      UPDATE pg_temp.m_flow AS f SET a = round(x.a * x.upto / x.whole, 4) - round(x.a * (x.upto - x.weight) / x.whole, 4)
        FROM part AS x WHERE f.id = x.id;
      UPDATE pg_temp.m_pool AS t SET pushed = g.a
        FROM (SELECT f.p, f.w, sum(f.a) AS a FROM pg_temp.m_flow AS f WHERE f.kind = 'POOL' AND f.day = ends GROUP BY 1, 2) AS g
       WHERE (t.p, t.w) = (g.p, g.w) AND t.pushed <> g.a;
      GET DIAGNOSTICS changed = ROW_COUNT;
      moved := moved + changed;
    END LOOP;
    EXIT WHEN moved = 0;
  END LOOP;

  INSERT INTO warehouse.month_cost (company_id, month, product_id, warehouse_id, qty, amount, issued_qty, provisional, issued_amount)
  SELECT company, begins, x.p, x.w, x.qty + s.q, x.worth + s.cost + x.carried + x.returned + x.pushed, s.q, s.before, s.fair
    FROM pg_temp.m_pool AS x
    JOIN (SELECT i.p, i.w, sum(i.q)::int AS q, sum(i.before) AS before, sum(i.cost) AS cost, sum(i.fair) AS fair
            FROM pg_temp.m_issue AS i GROUP BY 1, 2) AS s USING (p, w)
  ON CONFLICT (company_id, month, product_id, warehouse_id) DO UPDATE
     SET qty = excluded.qty, amount = excluded.amount, issued_qty = excluded.issued_qty, provisional = excluded.provisional,
         issued_amount = excluded.issued_amount;

  INSERT INTO warehouse.issue_cost (company_id, month, kind, posting_id, move_no, layer_id, product_id, warehouse_id, amount)
  SELECT company, begins, CASE WHEN EXISTS (SELECT FROM pg_temp.m_flow AS f
           WHERE (f.posting, f.move, f.layer) = (i.posting, i.move, i.layer)) THEN 'ON' ELSE 'OUT' END,
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
      LEFT JOIN (SELECT i.p, i.w, sum(i.fair - i.cost) AS a FROM pg_temp.m_issue AS i GROUP BY 1, 2) AS s USING (p, w)
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
           'outgoing', coalesce(sum(i.fair - i.cost) FILTER (WHERE NOT EXISTS (SELECT FROM pg_temp.m_flow AS f
              WHERE (f.posting, f.move, f.layer) = (i.posting, i.move, i.layer))), 0)::text)
    INTO result FROM pg_temp.m_issue AS i;
  RETURN result;
END $$;

-- Takes a posting back as before; not a closing, and not what a closing has priced.
ALTER FUNCTION warehouse.reverse(jsonb) RENAME TO take_back_unpriced;
ALTER FUNCTION warehouse.take_back_unpriced(jsonb) SECURITY INVOKER;

CREATE FUNCTION warehouse.reverse(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  IF EXISTS (SELECT FROM warehouse.stock_posting WHERE company_id = company AND id = origin AND source_type = 'warehouse.period') THEN
    PERFORM warehouse.refuse('WH008', '月末加权结转不能撤销，请反关账后重新关账');
  END IF;
  IF EXISTS (SELECT FROM warehouse.cost_layer WHERE company_id = company AND source_posting_id = origin AND restated <> 0)
      AND NOT EXISTS (SELECT FROM warehouse.stock_posting WHERE company_id = company AND reverses_id = origin) THEN
    PERFORM warehouse.refuse('WH007', '该单据的成本已按月末加权结转，不能撤销，请另开单据调整');
  END IF;
  RETURN warehouse.take_back_unpriced(event);
END $$;

GRANT CREATE ON SCHEMA warehouse TO erp_ledger;
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['issues_of(uuid, date, date)', 'close_month(jsonb)', 'reverse(jsonb)',
      'write_values(uuid, uuid, date, uuid[], uuid[], boolean[], numeric[])'] LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION warehouse.%s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION warehouse.%s OWNER TO erp_ledger', name);
  END LOOP;
END $$;
REVOKE CREATE ON SCHEMA warehouse FROM erp_ledger;
REVOKE ALL ON FUNCTION warehouse.take_back_unpriced FROM PUBLIC, erp_app;
GRANT EXECUTE ON FUNCTION warehouse.close_month, warehouse.reverse TO erp_app;
