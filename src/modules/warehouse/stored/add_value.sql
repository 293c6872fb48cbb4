-- Adds value to the layers that a posting made in the same transaction: has raise_layers() do it, then levels their pools
-- where stock is valued by moving average. `event`: key, name and operator as for post(), `posting` (whose layers),
-- `component` (which part of the cost), and `values`: [{ n: number of the move in that posting, a: CNY }]. Answers { id,
-- repeated }.
CREATE OR REPLACE FUNCTION warehouse.add_value(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  answer jsonb := warehouse.raise_layers(event);
  products uuid[];
  houses uuid[];
BEGIN
  IF warehouse.averages(company) THEN
    -- The posting itself was made in this transaction, which therefore holds the pools already.
    SELECT array_agg(l.product_id), array_agg(l.warehouse_id) INTO products, houses FROM warehouse.cost_layer AS l
     WHERE l.company_id = company AND l.source_posting_id = (event->>'posting')::uuid AND NOT l.in_transit;
    PERFORM warehouse.hold_pools(company, products, houses);
    PERFORM warehouse.level(company, products, houses);
  END IF;
  RETURN answer;
END $$;

CALL kit.keep_function('warehouse.add_value(jsonb)', 'erp_ledger', true);
