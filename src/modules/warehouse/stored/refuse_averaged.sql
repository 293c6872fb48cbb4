-- Refuses to take a posting back whose value later issues have taken over by the moving average.
CREATE OR REPLACE FUNCTION warehouse.refuse_averaged() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM warehouse.refuse('WH007', '该单据的成本已按移动加权计入之后的出库，不能撤销，请另开单据调整');
END $$;

CALL kit.keep_function('warehouse.refuse_averaged()', 'erp_ledger');
