-- Refuses to take a posting back, with the documents that have used what it brought.
CREATE OR REPLACE FUNCTION warehouse.refuse_used(company uuid, posting uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  users text[];
BEGIN
  SELECT array_agg(DISTINCT number) INTO users FROM (
    SELECT p.source_number AS number
      FROM warehouse.cost_layer AS l
      JOIN warehouse.layer_consumption AS c ON c.company_id = company AND c.layer_id = l.id
      JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = c.posting_id
     WHERE l.company_id = company AND l.source_posting_id = posting AND l.qty_remaining < l.qty_in
     GROUP BY p.id, p.source_number, l.id HAVING sum(c.qty) > 0
    UNION
    SELECT p.source_number
      FROM warehouse.stock_entry AS e
      JOIN warehouse.stock_entry AS o ON o.company_id = company AND o.product_id = e.product_id AND o.warehouse_id = e.warehouse_id
       AND (o.location_id, o.lot_id, o.status) = (e.location_id, e.lot_id, e.status) AND o.seq > e.seq AND o.qty < 0
      JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = o.posting_id AND p.reverses_id IS NULL
     WHERE e.company_id = company AND e.posting_id = posting AND e.qty > 0 AND e.status <> 'OUTSIDE'
       AND NOT EXISTS (SELECT FROM warehouse.stock_posting AS back WHERE back.company_id = company AND back.reverses_id = p.id)
  ) AS u;
  PERFORM warehouse.refuse('WH007', format('该单据的库存已被 %s 使用，请先撤销',
    coalesce(array_to_string(users[1:5], '、') || CASE WHEN cardinality(users) > 5 THEN ' 等' ELSE '' END, '其他单据')),
    jsonb_build_object('users', to_jsonb(coalesce(users, '{}'))));
END $$;

CALL kit.keep_function('warehouse.refuse_used(uuid,uuid)', 'erp_ledger');
