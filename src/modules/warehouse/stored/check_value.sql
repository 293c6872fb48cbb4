-- Refuses where value came later to the layers that a posting made, by whatever way: a bill for the receipt whose pieces it
-- moved on, or freight. Its entries do not know of it, so that taking them back would lose it.
CREATE OR REPLACE FUNCTION warehouse.check_value(company uuid, origin uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  later text;
BEGIN
  IF NOT EXISTS (
    SELECT FROM (
      SELECT product_id, warehouse_id, amount_in AS a FROM warehouse.cost_layer
       WHERE company_id = company AND source_posting_id = origin
      UNION ALL
      SELECT l.product_id, l.warehouse_id, -c.amount FROM warehouse.layer_consumption AS c
        JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = c.layer_id
       WHERE c.company_id = company AND c.posting_id = origin
      UNION ALL
      SELECT product_id, warehouse_id, -amount FROM warehouse.stock_entry
       WHERE company_id = company AND posting_id = origin AND status <> 'OUTSIDE') AS x
     GROUP BY product_id, warehouse_id HAVING sum(a) <> 0
  ) THEN
    RETURN;
  END IF;
  WITH RECURSIVE up AS (
    SELECT l.source_posting_id AS posting, l.parent_layer_id AS parent FROM warehouse.cost_layer AS l
     WHERE l.company_id = company AND l.source_posting_id = origin
    UNION
    SELECT l.source_posting_id, l.parent_layer_id FROM up JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = up.parent
  )
  SELECT p.source_number INTO later FROM up
    JOIN warehouse.revaluation AS r ON r.company_id = company AND r.origin_posting_id = up.posting
    JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = r.posting_id
   ORDER BY r.posting_id DESC LIMIT 1;
  PERFORM warehouse.refuse('WH007', format('该单据的成本已由 %s 补录，请先冲减', coalesce(later, '之后的费用')),
    CASE WHEN later IS NULL THEN '{}' ELSE jsonb_build_object('users', jsonb_build_array(later)) END);
END $$;

CALL kit.keep_function('warehouse.check_value(uuid,uuid)', 'erp_ledger');
