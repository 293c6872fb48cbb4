-- A day in the past must not have been short of what is taken away on it only now.
CREATE OR REPLACE FUNCTION warehouse.check_past(company uuid, cells warehouse.cell[], day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  short date;
BEGIN
  SELECT min(e.business_date) - 1 INTO short FROM unnest(cells) AS c CROSS JOIN LATERAL (
    SELECT x.business_date, c.after - sum(x.qty) OVER (ORDER BY x.business_date DESC) AS before
      FROM (SELECT business_date, sum(qty) AS qty FROM warehouse.stock_entry
             WHERE company_id = company AND product_id = c.p AND warehouse_id = c.w AND location_id = c.l AND lot_id = c.b
               AND status = c.s AND business_date > day AND posted_at >= day - interval '1 day' GROUP BY 1) AS x) AS e
   WHERE c.d < 0 AND c.s <> 'OUTSIDE' AND e.before < 0;
  IF short IS NOT NULL THEN
    PERFORM warehouse.refuse('WH006', format('补录日期会导致 %s 库存为负', short), jsonb_build_object('day', short));
  END IF;
END $$;

CALL kit.keep_function('warehouse.check_past(uuid,warehouse.cell[],date)', 'erp_ledger');
