-- Takes a posting back: the opposite movements dated today, and every layer as it was, to the last unit. `event`:
-- { posting, operatorId, operator, note }. Answers { id, repeated }: a posting that was taken back before is answered with
-- its reversal.
--
-- Asks from the outside in; each has its reasons to refuse, and what it does around the next: reverse() refuses closings of
-- a month and what they have priced; take_back_unpriced() sees to moving averages and to value that came later by whatever
-- way; take_back_unrevalued() refuses late values themselves and receipts that have one; take_posting_back() does it.
CREATE OR REPLACE FUNCTION warehouse.reverse(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  IF EXISTS (SELECT FROM warehouse.stock_posting WHERE company_id = company AND id = origin AND source_type = 'warehouse.period') THEN
    PERFORM warehouse.refuse('WH008', '月末加权结转不能撤销，请反关账后重新关账');
  END IF;
  IF EXISTS (SELECT FROM warehouse.cost_layer WHERE company_id = company AND source_posting_id = origin AND restated <> 0)
      AND NOT EXISTS (SELECT FROM warehouse.stock_posting WHERE company_id = company AND reverses_id = origin) THEN
    PERFORM warehouse.refuse('WH007', '该单据的成本已按月末加权结转，不能撤销，请另开单据调整');
  END IF;
  RETURN warehouse.take_back_unpriced(event);
END $$;

CALL kit.keep_function('warehouse.reverse(jsonb)', 'erp_ledger', true);
