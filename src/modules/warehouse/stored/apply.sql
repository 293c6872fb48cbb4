-- Locks balances in order and adds to them: one statement, which refuses by leaving a row alone. The legs come sorted. The
-- answer, in the order in which they were locked, has a mark on each that lacks something, and misses those that were left
-- alone: see lacks().
CREATE OR REPLACE FUNCTION warehouse.apply(company uuid, legs warehouse.cell[]) RETURNS warehouse.cell[] LANGUAGE plpgsql AS $$
DECLARE
  cells warehouse.cell[];
BEGIN
  WITH put AS (
    INSERT INTO warehouse.stock_balance AS h
      (company_id, warehouse_id, product_id, location_id, lot_id, status, qty, delta, last_seq)
    SELECT company, w, p, l, b, s, CASE WHEN s = 'OUTSIDE' THEN d ELSE greatest(d, 0) END, d,
           nextval('warehouse.stock_seq')
      FROM unnest(legs) ORDER BY s, w, p, l, b
    ON CONFLICT (company_id, warehouse_id, product_id, location_id, lot_id, status) DO UPDATE
       SET qty = h.qty + excluded.delta, delta = excluded.delta, last_seq = nextval('warehouse.stock_seq')
     WHERE h.qty + excluded.delta >= 0 OR h.status = 'OUTSIDE'
    RETURNING ROW(h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.delta, h.qty, h.last_seq,
      old.qty IS NULL AND h.delta < 0 AND h.status <> 'OUTSIDE')::warehouse.cell AS cell
  )
  SELECT array_agg(cell) INTO cells FROM put;
  RETURN coalesce(cells, '{}');
END $$;

CALL kit.keep_function('warehouse.apply(uuid,warehouse.cell[])', 'erp_ledger');
