-- Adds value that comes late to the pieces that came in with a posting: has raise_family() do it, then levels the pools
-- they lie in where stock is valued by moving average. `event`: key, name and operator as for post(), `posting` (what
-- brought the pieces), `component` (which part of the cost), `final` (the cost is settled now) and `values`: [{ n: number
-- of the move in that posting, a: CNY, l: only this layer of it }]. Answers { id, repeated, moves: [{ n, toLayers,
-- variance }] }.
--
-- It takes the gate alone: pieces of one receipt may lie anywhere, also where no balance was when it began to lock them, so
-- that beside postings it would lock out of order and could miss pieces that a swap has just handed on.
CREATE OR REPLACE FUNCTION warehouse.add_cost(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  answer jsonb;
  products uuid[];
  houses uuid[];
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('warehouse.gate:' || company, 0));
  answer := warehouse.raise_family(event);
  IF warehouse.averages(company) THEN
    SELECT array_agg(l.product_id), array_agg(l.warehouse_id) INTO products, houses
      FROM warehouse.family_of(company, (event->>'posting')::uuid, event->'values') AS f
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = f.id AND NOT l.in_transit;
    PERFORM warehouse.level(company, products, houses);
  END IF;
  RETURN answer;
END $$;

CALL kit.keep_function('warehouse.add_cost(jsonb)', 'erp_ledger', true);
