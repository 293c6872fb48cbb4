-- Says so where a count, not a lack, is why nothing can be had.
CREATE OR REPLACE FUNCTION warehouse.refuse_frozen(company uuid, house uuid, article uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  stop record;
BEGIN
  SELECT f.document_number, coalesce(l.code, w.name) AS place INTO stop
    FROM warehouse.freeze AS f
    JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = f.warehouse_id
    LEFT JOIN warehouse.location AS l ON l.company_id = company AND l.id = f.location_id
   WHERE f.company_id = company AND f.warehouse_id = house AND f.released_at IS NULL
     AND (f.product_id IS NULL OR f.product_id = article) LIMIT 1;
  IF FOUND THEN
    PERFORM warehouse.refuse('WH003', format('【%s】正在盘点（%s），暂不支持库存操作', stop.place, stop.document_number),
      jsonb_build_object('number', stop.document_number));
  END IF;
END $$;

CALL kit.keep_function('warehouse.refuse_frozen(uuid,uuid,uuid)', 'erp_ledger');
