-- Makes the virtual warehouses of the running company where they are missing.
CREATE OR REPLACE FUNCTION warehouse.ensure_virtual() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
BEGIN
  INSERT INTO warehouse.warehouse (company_id, id, code, name, kind, sort)
  SELECT company, warehouse.virtual_id(company, code), code, title, 'VIRTUAL', 1000
    FROM (VALUES ('SUPPLIER', '供应商'), ('CUSTOMER', '客户'), ('ADJUSTMENT', '盘盈亏'), ('SCRAP', '报废'),
           ('CONVERSION', '换货'), ('ASSEMBLY', '组装'), ('LOST', '丢失'), ('OPENING', '期初')) AS v(code, title)
   ORDER BY code
  ON CONFLICT DO NOTHING;
  INSERT INTO warehouse.location (company_id, id, warehouse_id, code, path, type)
  SELECT company, id, id, '暂存', '暂存', 'STAGING' FROM warehouse.warehouse
   WHERE company_id = company AND kind = 'VIRTUAL' ORDER BY code
  ON CONFLICT DO NOTHING;
END $$;

CALL kit.keep_function('warehouse.ensure_virtual()', 'erp_ledger', true);
