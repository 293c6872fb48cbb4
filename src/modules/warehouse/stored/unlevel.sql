-- Gives the layers that a posting made the value back that they came with, so that the posting can be taken back to the
-- last unit; what levelling had moved stays with the other pieces of the pool. Refused by refuse_averaged() where no other
-- piece is left to bear it.
CREATE OR REPLACE FUNCTION warehouse.unlevel(company uuid, origin uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  alone boolean;
BEGIN
  WITH own AS (
    UPDATE warehouse.cost_layer AS l SET amount_remaining = l.amount_remaining - l.levelled, levelled = 0
     WHERE l.company_id = company AND l.source_posting_id = origin AND l.qty_remaining = l.qty_in AND l.levelled <> 0
    RETURNING l.product_id AS p, l.warehouse_id AS w, old.levelled AS a
  ), owed AS (
    SELECT p, w, sum(a) AS a FROM own GROUP BY 1, 2 HAVING sum(a) <> 0
  ), heir AS (
    SELECT DISTINCT ON (o.p, o.w) o.a, l.id
      FROM owed AS o JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.product_id = o.p AND l.warehouse_id = o.w
       AND NOT l.in_transit AND l.open AND l.source_posting_id <> origin
     ORDER BY o.p, o.w, l.original_date, l.id
  ), given AS (
    UPDATE warehouse.cost_layer AS l SET amount_remaining = l.amount_remaining + h.a, levelled = l.levelled + h.a
      FROM heir AS h WHERE l.company_id = company AND l.id = h.id
  )
  SELECT (SELECT count(*) FROM owed) > (SELECT count(*) FROM heir) INTO alone;
  IF alone THEN
    PERFORM warehouse.refuse_averaged();
  END IF;
END $$;

CALL kit.keep_function('warehouse.unlevel(uuid,uuid)', 'erp_ledger');
