-- Says which cells lack what.
CREATE OR REPLACE FUNCTION warehouse.refuse_shortage(company uuid, legs warehouse.cell[], done warehouse.cell[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  short jsonb;
  one jsonb;
BEGIN
  WITH cell AS (
    SELECT n.*, CASE WHEN x.d IS NULL THEN coalesce(h.qty, 0) ELSE x.after - x.d END AS have
      FROM unnest(legs) AS n
      LEFT JOIN warehouse.stock_balance AS h ON (h.company_id, h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
         = (company, n.w, n.p, n.l, n.b, n.s)
      LEFT JOIN unnest(done) AS x ON NOT x.bad AND (x.s, x.w, x.p, x.l, x.b) = (n.s, n.w, n.p, n.l, n.b)
     WHERE n.d < 0 AND n.s <> 'OUTSIDE'
  ), lack AS (
    SELECT c.p, c.w, c.s, p.sku, w.name, -sum(c.d)::int AS need, sum(c.have)::int AS have
      FROM cell AS c
      JOIN product.local_product AS p ON p.company_id = company AND p.id = c.p
      JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = c.w
     GROUP BY 1, 2, 3, 4, 5 HAVING bool_or(c.have + c.d < 0)
  )
  SELECT jsonb_agg(jsonb_build_object('product', p, 'sku', sku, 'warehouse', w, 'name', name, 'status', s,
           'need', need, 'have', have) ORDER BY sku, name) INTO short FROM lack;
  one := short->0;
  PERFORM warehouse.refuse('WH001', format('SKU【%s】在【%s】%s库存不足：需要 %s，%s %s', one->>'sku', one->>'name',
    warehouse.status_title(one->>'status'), one->>'need',
    CASE WHEN one->>'status' = 'AVAILABLE' THEN '可用' ELSE '现有' END, one->>'have'),
    jsonb_build_object('short', short));
END $$;

CALL kit.keep_function('warehouse.refuse_shortage(uuid,warehouse.cell[],warehouse.cell[])', 'erp_ledger');
