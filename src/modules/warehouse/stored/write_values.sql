-- Writes entries of a closing, which move value and no piece, dated `day`: (products[i], houses[i], ways[i]: on its way)
-- gets amounts[i]. The entry is written at one of the places where such pieces lie or last lay.
CREATE OR REPLACE FUNCTION warehouse.write_values(company uuid, posting uuid, day date, products uuid[], houses uuid[], ways boolean[],
  amounts numeric[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH cell AS (
    SELECT DISTINCT ON (x.p, x.w, x.t) x.a, h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id
      FROM unnest(products, houses, ways, amounts) AS x(p, w, t, a)
      JOIN warehouse.stock_balance AS h ON h.company_id = company AND h.product_id = x.p AND h.warehouse_id = x.w
       AND h.status NOT IN ('OUTSIDE', 'EXPECTED') AND (h.status = 'IN_TRANSIT') = x.t
     ORDER BY x.p, x.w, x.t, h.qty > 0 DESC, h.status, h.location_id, h.lot_id
  ), put AS (
    UPDATE warehouse.stock_balance AS h SET delta = 0, last_seq = nextval('warehouse.stock_seq')
      FROM cell AS c
     WHERE h.company_id = company AND (h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
         = (c.warehouse_id, c.product_id, c.location_id, c.lot_id, c.status)
    RETURNING h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.qty, h.last_seq, c.a
  )
  INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id,
    warehouse_id, location_id, lot_id, status, qty, balance_after, unit_cost, amount)
  SELECT company, p.last_seq, kit.instant(), posting, row_number() OVER (ORDER BY p.last_seq), day, p.product_id,
         p.warehouse_id, p.location_id, p.lot_id, p.status, 0, p.qty, NULL, p.a FROM put AS p;
END $$;

CALL kit.keep_function('warehouse.write_values(uuid,uuid,date,uuid[],uuid[],boolean[],numeric[])', 'erp_ledger');
