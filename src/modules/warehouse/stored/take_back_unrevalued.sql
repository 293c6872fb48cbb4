-- The part of reverse() that knows of values that came late, with the same `event` and answer: they cannot be taken back,
-- and a posting whose pieces have such value only after it was taken away by the opposite one, so that layers and entries
-- stay equal. Everything else is done by take_posting_back().
CREATE OR REPLACE FUNCTION warehouse.take_back_unrevalued(event jsonb) RETURNS jsonb LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
  later text;
BEGIN
  PERFORM FROM warehouse.stock_posting WHERE company_id = company AND id = origin FOR UPDATE;
  IF EXISTS (SELECT FROM warehouse.revaluation WHERE company_id = company AND posting_id = origin) THEN
    PERFORM warehouse.refuse('WH008', '成本补录不能撤销，请补录相反的金额');
  END IF;
  IF (SELECT sum(to_layers) <> 0 FROM warehouse.revaluation WHERE company_id = company AND origin_posting_id = origin) THEN
    SELECT p.source_number INTO later FROM warehouse.revaluation AS r
      JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = r.posting_id
     WHERE r.company_id = company AND r.origin_posting_id = origin ORDER BY r.posting_id DESC LIMIT 1;
    PERFORM warehouse.refuse('WH007', format('该单据的成本已由 %s 补录，请先冲减', later),
      jsonb_build_object('users', jsonb_build_array(later)));
  END IF;
  RETURN warehouse.take_posting_back(event);
END $$;

CALL kit.keep_function('warehouse.take_back_unrevalued(jsonb)', 'erp_ledger');
