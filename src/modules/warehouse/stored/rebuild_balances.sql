-- Writes the balances anew from the entries, while no posting is under way. Answers how many were wrong: 0, or somebody
-- went past the ledger. Work over a whole ledger is worth a plan of its own.
CREATE OR REPLACE FUNCTION warehouse.rebuild_balances() RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  company uuid := kit.company();
  wrong int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('warehouse.gate:' || company, 0));
  WITH fold AS MATERIALIZED (
    SELECT warehouse_id, product_id, location_id, lot_id, status, sum(qty)::int AS qty, max(seq) AS seq,
           (array_agg(qty ORDER BY seq DESC))[1] AS delta
      FROM warehouse.stock_entry WHERE company_id = company GROUP BY 1, 2, 3, 4, 5
  ), gone AS (
    DELETE FROM warehouse.stock_balance AS b WHERE b.company_id = company AND NOT EXISTS (
      SELECT FROM fold AS f WHERE (f.warehouse_id, f.product_id, f.location_id, f.lot_id, f.status)
        = (b.warehouse_id, b.product_id, b.location_id, b.lot_id, b.status))
    RETURNING 1
  ), put AS (
    INSERT INTO warehouse.stock_balance AS b (company_id, warehouse_id, product_id, location_id, lot_id, status, qty, delta, last_seq)
    SELECT company, warehouse_id, product_id, location_id, lot_id, status, qty, delta, seq FROM fold
    ON CONFLICT (company_id, warehouse_id, product_id, location_id, lot_id, status) DO UPDATE
       SET qty = excluded.qty, delta = excluded.delta, last_seq = excluded.last_seq
     WHERE (b.qty, b.last_seq) <> (excluded.qty, excluded.last_seq)
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM put) INTO wrong;
  RETURN wrong;
END $$;

CALL kit.keep_function('warehouse.rebuild_balances()', 'erp_ledger', true);
