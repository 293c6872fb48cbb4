-- Counts pieces of a reservation as picked. Answers how many are picked now.
CREATE OR REPLACE FUNCTION warehouse.pick(reservation uuid, pieces int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  picked int;
BEGIN
  UPDATE warehouse.reservation AS r
     SET picked_qty = r.picked_qty + pieces,
         state = CASE WHEN r.picked_qty + pieces + r.released_qty >= r.qty THEN 'PICKED' ELSE 'OPEN' END
   WHERE r.company_id = kit.company() AND r.id = reservation AND r.state IN ('OPEN', 'PICKED')
     AND r.picked_qty + pieces BETWEEN 0 AND r.qty - r.released_qty AND r.picked_qty + pieces >= r.shipped_qty
  RETURNING r.picked_qty INTO picked;
  IF picked IS NULL THEN
    PERFORM warehouse.refuse('WH004', '拣货数量超过预留数量，请刷新后重试');
  END IF;
  RETURN picked;
END $$;

CALL kit.keep_function('warehouse.pick(uuid,integer)', 'erp_ledger', true);
