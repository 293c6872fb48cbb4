-- Issues of a closing, by the layer that they took from: product, warehouse and pieces, what they cost `before` any
-- closing, and what they `cost` with the corrections so far. What was taken back up to the last day, and what stayed in its
-- warehouse, is none.
CREATE OR REPLACE FUNCTION warehouse.issues_of(company uuid, begins date, ends date)
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

CALL kit.keep_function('warehouse.issues_of(uuid,date,date)', 'erp_ledger');
