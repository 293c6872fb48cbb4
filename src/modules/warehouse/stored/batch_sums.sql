-- What became of the pieces that some moves of a posting brought into layers, wherever they went inside the company: on
-- their way, on hand, and issued; and what they cost, CNY. `lost` of the issued pieces left before they arrived. What cost
-- in all is `rest` + `issued` + `variance`; `first_leg` and `other` are parts of it, the rest is what the pieces were bought
-- for. `late_leg` is the part of the first leg that came after the posting. It reads the layers of all warehouses.
CREATE OR REPLACE FUNCTION warehouse.batch_sums(p_posting uuid, p_moves int[])
RETURNS TABLE (way int, here int, gone int, lost int, received_at timestamptz, rest numeric, issued numeric, variance numeric,
  first_leg numeric, late_leg numeric, other numeric, estimated boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1 COST 5000 SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  company uuid := kit.company();
BEGIN
  RETURN QUERY
  WITH RECURSIVE family AS (
    SELECT l.id, true AS root, l.in_transit, l.source_posting_id, l.source_move, l.received_at, l.qty_remaining,
           l.amount_remaining, l.components, l.cost_state
      FROM warehouse.cost_layer AS l
     WHERE l.company_id = company AND l.source_posting_id = p_posting AND l.source_move = ANY (p_moves)
    UNION ALL
    SELECT c.id, false, c.in_transit, c.source_posting_id, c.source_move, c.received_at, c.qty_remaining,
           c.amount_remaining, c.components, c.cost_state
      FROM family AS f
      JOIN warehouse.cost_layer AS c ON c.company_id = company AND c.parent_layer_id = f.id
  ), issue AS (
    -- What was handed on to another layer, or taken back from it, is none.
    SELECT f.in_transit, c.qty, c.amount + coalesce((
             SELECT sum(i.amount) FROM warehouse.issue_cost AS i
              WHERE i.company_id = company AND (i.posting_id, i.move_no, i.layer_id) = (c.posting_id, c.move_no, c.layer_id)), 0) AS amount
      FROM family AS f
      JOIN warehouse.layer_consumption AS c ON c.company_id = company AND c.layer_id = f.id
      JOIN warehouse.stock_posting AS o ON o.company_id = company AND o.id = c.posting_id
     WHERE NOT EXISTS (
       SELECT FROM warehouse.cost_layer AS k
        WHERE k.company_id = company AND k.parent_layer_id = f.id AND k.source_posting_id IN (o.id, o.reverses_id))
  ), late AS (
    SELECT r.component, r.amount, r.variance AS missed
      FROM (SELECT f.source_posting_id, f.source_move, bool_or(f.root) AS root FROM family AS f GROUP BY 1, 2) AS s
      JOIN warehouse.revaluation AS r ON r.company_id = company AND r.origin_posting_id = s.source_posting_id
       AND r.origin_move = s.source_move
     WHERE s.root OR EXISTS (
       SELECT FROM warehouse.revaluation_layer AS v JOIN family AS f ON f.id = v.layer_id
        WHERE v.company_id = company AND v.posting_id = r.posting_id)
  ), early AS (
    SELECT p.part AS component, sum(p.amount) - coalesce(sum((
             SELECT sum(v.amount) FROM warehouse.revaluation_layer AS v
              WHERE v.company_id = company AND v.layer_id = f.id AND v.component = p.part)), 0) AS amount
      FROM family AS f CROSS JOIN LATERAL (
        SELECT e.key AS part, e.value::numeric AS amount FROM jsonb_each_text(coalesce(f.components, '{}')) AS e
      ) AS p
     WHERE f.root AND p.part <> 'purchase' GROUP BY 1
  ), part AS (
    SELECT coalesce(sum(x.amount) FILTER (WHERE x.component = 'firstLeg'), 0) AS leg,
           coalesce(sum(x.amount) FILTER (WHERE x.component = 'firstLeg' AND x.late), 0) AS late_leg,
           coalesce(sum(x.amount) FILTER (WHERE x.component NOT IN ('firstLeg', 'purchase')), 0) AS rest
      FROM (SELECT e.component, e.amount, false AS late FROM early AS e
            UNION ALL SELECT t.component, t.amount, true FROM late AS t) AS x
  )
  SELECT (SELECT coalesce(sum(f.qty_remaining) FILTER (WHERE f.in_transit), 0)::int FROM family AS f),
         (SELECT coalesce(sum(f.qty_remaining) FILTER (WHERE NOT f.in_transit), 0)::int FROM family AS f),
         (SELECT coalesce(sum(i.qty), 0)::int FROM issue AS i),
         (SELECT coalesce(sum(i.qty) FILTER (WHERE i.in_transit), 0)::int FROM issue AS i),
         (SELECT min(f.received_at) FROM family AS f WHERE NOT f.in_transit),
         (SELECT coalesce(sum(f.amount_remaining), 0) FROM family AS f),
         (SELECT coalesce(sum(i.amount), 0) FROM issue AS i),
         (SELECT coalesce(sum(t.missed), 0) FROM late AS t),
         p.leg, p.late_leg, p.rest,
         EXISTS (SELECT FROM family AS f WHERE f.qty_remaining > 0 AND f.cost_state = 'ESTIMATED')
    FROM part AS p;
END $$;

REVOKE ALL ON FUNCTION warehouse.batch_sums FROM PUBLIC;
GRANT EXECUTE ON FUNCTION warehouse.batch_sums TO erp_app;
