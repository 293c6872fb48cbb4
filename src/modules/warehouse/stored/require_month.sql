-- For steps 2 and 3 of a closing: refuses tables that somebody else made under the names of month_gather(), and those of
-- another month.
CREATE OR REPLACE FUNCTION warehouse.require_month(begins date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('pg_temp.m_month') AND relowner = 'erp_ledger'::regrole) THEN
    RAISE EXCEPTION 'month was not gathered' USING ERRCODE = 'WH099';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_temp.m_month AS m WHERE m.company = kit.company() AND m.begins = require_month.begins) THEN
    RAISE EXCEPTION 'another month was gathered' USING ERRCODE = 'WH099';
  END IF;
END $$;

CALL kit.keep_function('warehouse.require_month(date)', 'erp_ledger');
