-- Holds pools of average prices until the end of the transaction, in one order; (products[i], houses[i]) is one of them.
CREATE OR REPLACE FUNCTION warehouse.hold_pools(company uuid, products uuid[], houses uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO warehouse.average_pool AS a (company_id, product_id, warehouse_id)
  SELECT DISTINCT company, x.p, x.w FROM unnest(products, houses) AS x(p, w) ORDER BY 2, 3
  ON CONFLICT (company_id, product_id, warehouse_id) DO UPDATE SET held_at = kit.now();
END $$;

CALL kit.keep_function('warehouse.hold_pools(uuid,uuid[],uuid[])', 'erp_ledger');
