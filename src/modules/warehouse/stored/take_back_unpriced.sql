-- The part of reverse() that sees to the value of layers, with the same `event` and answer. Holds the balances, has
-- take_back_unrevalued() take the posting back, and refuses by check_value() where value came later to its layers. Where
-- stock is valued by moving average, or was when the layers were levelled, it holds their pools, too: unlevel() gives the
-- layers of the posting the value back that they came with, and where it still is, level() levels those that stay. A
-- reversal, and what was taken back before, goes on to take_back_unrevalued() at once, to be refused or answered by
-- take_posting_back().
CREATE OR REPLACE FUNCTION warehouse.take_back_unpriced(event jsonb) RETURNS jsonb LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
  averages boolean := warehouse.averages(company);
  answer jsonb;
  products uuid[];
  houses uuid[];
BEGIN
  -- Gate, origin, balances, pools: the order of every posting. While the balances are held no value comes to these pieces.
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  PERFORM FROM warehouse.stock_posting WHERE company_id = company AND id = origin FOR UPDATE;
  PERFORM FROM warehouse.stock_balance AS h
     JOIN warehouse.stock_entry AS e ON e.company_id = company AND e.posting_id = origin
      AND (e.warehouse_id, e.product_id, e.location_id, e.lot_id, e.status) = (h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
    WHERE h.company_id = company
    ORDER BY h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id FOR UPDATE OF h;
  IF EXISTS (SELECT FROM warehouse.stock_posting WHERE company_id = company AND (reverses_id = origin OR id = origin AND reverses_id IS NOT NULL)) THEN
    RETURN warehouse.take_back_unrevalued(event);
  END IF;
  -- Layers may be level from a time when the method was another one.
  IF averages OR EXISTS (SELECT FROM warehouse.cost_layer WHERE company_id = company AND source_posting_id = origin AND levelled <> 0) THEN
    SELECT array_agg(e.product_id), array_agg(e.warehouse_id) INTO products, houses FROM warehouse.stock_entry AS e
     WHERE e.company_id = company AND e.posting_id = origin AND e.status NOT IN ('OUTSIDE', 'EXPECTED', 'IN_TRANSIT');
    PERFORM warehouse.hold_pools(company, products, houses);
    PERFORM warehouse.unlevel(company, origin);
  END IF;
  answer := warehouse.take_back_unrevalued(event);
  PERFORM warehouse.check_value(company, origin);
  IF averages THEN
    PERFORM warehouse.level(company, products, houses);
  END IF;
  IF EXISTS (SELECT FROM unnest(products, houses) AS x(p, w) JOIN warehouse.cost_layer AS l
      ON l.company_id = company AND l.product_id = x.p AND l.warehouse_id = x.w AND l.amount_remaining < 0) THEN
    PERFORM warehouse.refuse_averaged();
  END IF;
  RETURN answer;
END $$;

CALL kit.keep_function('warehouse.take_back_unpriced(jsonb)', 'erp_ledger');
