-- Gives every open layer of a pool its share by pieces of what they are worth together. Layers that have it stay as they are.
CREATE OR REPLACE FUNCTION warehouse.level(company uuid, products uuid[], houses uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH pool AS (
    SELECT DISTINCT x.p, x.w FROM unnest(products, houses) AS x(p, w)
  ), locked AS MATERIALIZED (
    SELECT l.id, l.product_id, l.warehouse_id, l.original_date, l.qty_remaining AS q, l.amount_remaining AS a
      FROM pool JOIN warehouse.cost_layer AS l
        ON l.company_id = company AND l.product_id = pool.p AND l.warehouse_id = pool.w AND NOT l.in_transit AND l.open
     ORDER BY l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.original_date, l.id FOR UPDATE OF l
  ), share AS (
    SELECT id, a, round(sum(a) OVER whole * sum(q) OVER upto / sum(q) OVER whole, 4)
             - round(sum(a) OVER whole * (sum(q) OVER upto - q) / sum(q) OVER whole, 4) AS fair
      FROM locked
    WINDOW whole AS (PARTITION BY product_id, warehouse_id),
           upto AS (PARTITION BY product_id, warehouse_id ORDER BY original_date, id)
  )
  UPDATE warehouse.cost_layer AS l SET amount_remaining = s.fair, levelled = l.levelled + s.fair - s.a
    FROM share AS s WHERE l.company_id = company AND l.id = s.id AND s.fair <> s.a;
END $$;

CALL kit.keep_function('warehouse.level(uuid,uuid[],uuid[])', 'erp_ledger');
