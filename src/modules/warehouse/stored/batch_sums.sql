-- What became of the pieces that moves of some postings brought into layers, by move, wherever they went inside the company:
-- on their way, on hand, and issued; and what they cost, CNY. `lost` of the issued pieces left before they arrived. What cost
-- in all is `rest` + `issued` + `variance`; `first_leg` and `other` are parts of it, the rest is what the pieces were bought
-- for. `late_leg` is the part of the first leg that came after the posting. It reads the layers of all warehouses, one by one
-- by their indexes (hence OFFSET 0), so that a page of batches never reads what all layers gave.
CREATE OR REPLACE FUNCTION warehouse.batch_sums(p_postings uuid[])
RETURNS TABLE (posting_id uuid, move_no int, way int, here int, gone int, lost int, received_at timestamptz, rest numeric,
  issued numeric, variance numeric, first_leg numeric, late_leg numeric, other numeric, estimated boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20 COST 5000 SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  company uuid := kit.company();
BEGIN
  RETURN QUERY
  WITH RECURSIVE family AS (
    SELECT l.source_posting_id AS bp, l.source_move AS bm, l.id, NULL::uuid AS parent, l.in_transit, l.source_posting_id,
           l.source_move, l.received_at, l.qty_remaining, l.amount_remaining, l.components, l.cost_state
      FROM unnest(p_postings) AS p (id)
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.source_posting_id = p.id
    UNION ALL
    SELECT f.bp, f.bm, c.id, f.id, c.in_transit, c.source_posting_id, c.source_move, c.received_at, c.qty_remaining,
           c.amount_remaining, c.components, c.cost_state
      FROM family AS f CROSS JOIN LATERAL (
        SELECT * FROM warehouse.cost_layer AS x WHERE x.company_id = company AND x.parent_layer_id = f.id OFFSET 0) AS c
  ), held AS (
    SELECT f.bp, f.bm, coalesce(sum(f.qty_remaining) FILTER (WHERE f.in_transit), 0)::int AS away,
           coalesce(sum(f.qty_remaining) FILTER (WHERE NOT f.in_transit), 0)::int AS there,
           min(f.received_at) FILTER (WHERE NOT f.in_transit) AS came, sum(f.amount_remaining) AS amount,
           bool_or(f.qty_remaining > 0 AND f.cost_state = 'ESTIMATED') AS open
      FROM family AS f GROUP BY 1, 2
  ), handed AS (
    SELECT DISTINCT f.parent, f.source_posting_id AS posting FROM family AS f WHERE f.parent IS NOT NULL
  ), taken AS (
    -- A posting that takes another one back gives to layers what that one took.
    SELECT f.bp, f.bm, f.id, f.in_transit, c.posting_id AS posting, c.move_no AS move, c.qty, c.amount,
           CASE WHEN c.qty < 0 THEN (SELECT o.reverses_id FROM warehouse.stock_posting AS o
             WHERE o.company_id = company AND o.id = c.posting_id) ELSE c.posting_id END AS made_by
      FROM family AS f CROSS JOIN LATERAL (
        SELECT * FROM warehouse.layer_consumption AS x WHERE x.company_id = company AND x.layer_id = f.id OFFSET 0) AS c
  ), issue AS (
    -- What was handed on to another layer, or taken back from it, is none.
    SELECT t.bp, t.bm, sum(t.qty)::int AS qty, coalesce(sum(t.qty) FILTER (WHERE t.in_transit), 0)::int AS way,
           sum(t.amount + coalesce((SELECT sum(i.amount) FROM warehouse.issue_cost AS i
             WHERE i.company_id = company AND (i.posting_id, i.move_no, i.layer_id) = (t.posting, t.move, t.id)), 0)) AS amount
      FROM taken AS t LEFT JOIN handed AS h ON h.parent = t.id AND h.posting = t.made_by
     WHERE h.parent IS NULL GROUP BY 1, 2
  ), raised AS (
    SELECT f.bp, f.bm, f.id, f.parent, v.posting_id AS posting, v.component, v.amount
      FROM family AS f CROSS JOIN LATERAL (
        SELECT * FROM warehouse.revaluation_layer AS x WHERE x.company_id = company AND x.layer_id = f.id OFFSET 0) AS v
  ), late AS (
    SELECT s.bp, s.bm, r.component, r.amount, r.variance AS missed
      FROM (SELECT f.bp, f.bm, f.source_posting_id, f.source_move, bool_or(f.parent IS NULL) AS root
              FROM family AS f GROUP BY 1, 2, 3, 4) AS s
     CROSS JOIN LATERAL (
        SELECT * FROM warehouse.revaluation AS x WHERE x.company_id = company AND x.origin_posting_id = s.source_posting_id
           AND x.origin_move = s.source_move OFFSET 0) AS r
     WHERE s.root OR EXISTS (
       SELECT FROM raised AS v WHERE (v.bp, v.bm, v.posting) = (s.bp, s.bm, r.posting_id))
  ), part AS (
    SELECT x.bp, x.bm, sum(x.amount) FILTER (WHERE x.component = 'firstLeg') AS leg,
           sum(x.amount) FILTER (WHERE x.component = 'firstLeg' AND x.late) AS late_leg,
           sum(x.amount) FILTER (WHERE x.component NOT IN ('firstLeg', 'purchase')) AS rest, sum(x.missed) AS missed
      FROM (SELECT f.bp, f.bm, e.key AS component, e.value::numeric AS amount, 0 AS missed, false AS late
              FROM family AS f CROSS JOIN LATERAL jsonb_each_text(f.components) AS e
             WHERE f.parent IS NULL AND f.components IS NOT NULL
            UNION ALL SELECT v.bp, v.bm, v.component, -v.amount, 0, false FROM raised AS v WHERE v.parent IS NULL
            UNION ALL SELECT t.bp, t.bm, t.component, t.amount, t.missed, true FROM late AS t) AS x GROUP BY 1, 2
  )
  SELECT h.bp, h.bm, h.away, h.there, coalesce(i.qty, 0), coalesce(i.way, 0), h.came, h.amount, coalesce(i.amount, 0),
         coalesce(p.missed, 0), coalesce(p.leg, 0), coalesce(p.late_leg, 0), coalesce(p.rest, 0), h.open
    FROM held AS h
    LEFT JOIN issue AS i ON (i.bp, i.bm) = (h.bp, h.bm)
    LEFT JOIN part AS p ON (p.bp, p.bm) = (h.bp, h.bm);
END $$;

REVOKE ALL ON FUNCTION warehouse.batch_sums FROM PUBLIC;
GRANT EXECUTE ON FUNCTION warehouse.batch_sums TO erp_app;
