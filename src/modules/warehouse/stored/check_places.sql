-- Refuses places that do not exist, are out of use, or cannot hold the status, and what a count holds still.
CREATE OR REPLACE FUNCTION warehouse.check_places(company uuid, moves warehouse.move[], source_type text, source_id text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bad record;
BEGIN
  SELECT x.s, w.id AS known, w.name, w.disabled, w.kind, l.id AS location, l.code, l.type, l.frozen INTO bad
    FROM (SELECT fw AS w, fl AS l, fs AS s FROM unnest(moves) UNION SELECT tw, tl, ts FROM unnest(moves)) AS x
    LEFT JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = x.w
    LEFT JOIN warehouse.location AS l ON l.company_id = company AND l.warehouse_id = x.w AND l.id = x.l
   WHERE w.id IS NULL OR l.id IS NULL OR w.disabled OR l.frozen OR l.type = 'AREA'
      OR NOT CASE WHEN w.kind = 'VIRTUAL' THEN x.s = 'OUTSIDE'
                  WHEN x.s IN ('EXPECTED', 'IN_TRANSIT') THEN true
                  WHEN w.quality = 'GOOD' THEN x.s IN ('AVAILABLE', 'RESERVED', 'PROCESSING')
                  WHEN w.quality = 'QC' THEN x.s = 'QUARANTINE'
                  ELSE x.s = 'DEFECTIVE' END
   LIMIT 1;
  IF FOUND THEN
    PERFORM warehouse.refuse('WH002', CASE
      WHEN bad.known IS NULL THEN '仓库不存在或已删除'
      WHEN bad.disabled THEN format('仓库【%s】已停用', bad.name)
      WHEN bad.location IS NULL OR bad.type = 'AREA' THEN format('仓库【%s】没有该库位', bad.name)
      WHEN bad.frozen THEN format('库位【%s】已冻结，暂不支持库存操作', bad.code)
      ELSE format('仓库【%s】不能存放状态为【%s】的库存', bad.name, warehouse.status_title(bad.s)) END);
  END IF;
  IF EXISTS (SELECT FROM warehouse.freeze WHERE company_id = company AND released_at IS NULL) THEN
    SELECT f.document_number, coalesce(l.code, w.name) AS place INTO bad
      FROM (SELECT fw AS w, fl AS l, p FROM unnest(moves) UNION SELECT tw, tl, p FROM unnest(moves)) AS x
      JOIN warehouse.freeze AS f ON f.company_id = company AND f.warehouse_id = x.w AND f.released_at IS NULL
       AND (f.location_id IS NULL OR f.location_id = x.l) AND (f.product_id IS NULL OR f.product_id = x.p)
       AND (f.document_type, f.document_id) <> (source_type, source_id)
      JOIN warehouse.warehouse AS w ON w.company_id = company AND w.id = x.w
      LEFT JOIN warehouse.location AS l ON l.company_id = company AND l.id = f.location_id
     LIMIT 1;
    IF FOUND THEN
      PERFORM warehouse.refuse('WH003', format('【%s】正在盘点（%s），暂不支持库存操作', bad.place, bad.document_number),
        jsonb_build_object('number', bad.document_number));
    END IF;
  END IF;
END $$;

CALL kit.keep_function('warehouse.check_places(uuid,warehouse.move[],text,text)', 'erp_ledger');
