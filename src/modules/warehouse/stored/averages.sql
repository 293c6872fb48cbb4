-- Whether the company values its stock by moving average today.
CREATE OR REPLACE FUNCTION warehouse.averages(company uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN coalesce((SELECT CASE WHEN next_from <= warehouse.today() THEN next_valuation ELSE valuation END = 'AVERAGE'
                     FROM warehouse.setting WHERE company_id = company), false);
END $$;

CALL kit.keep_function('warehouse.averages(uuid)', 'erp_ledger');
