-- Adds to the sums what a statement changed of orders: what they are now, less what they were. Most changes are of columns
-- that no sum is of: they cost a comparison.
CREATE OR REPLACE FUNCTION purchase.sum_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, orders, qty, received_qty, open_qty,
                                  amount, due_amount, paid_amount)
  SELECT company_id, day, warehouse_id, type, stage, currency, sum(sign), sum(sign * qty), sum(sign * received_qty),
         sum(sign * waited), sum(sign * amount), sum(sign * due_amount), sum(sign * paid_amount)
    FROM (SELECT 1 AS sign, company_id, made_on AS day, warehouse_id, type, stage,
                 currency, qty, received_qty, CASE WHEN state = 'ordered' THEN open_qty ELSE 0 END AS waited, amount,
                 due_amount, paid_amount
            FROM added
           UNION ALL
          SELECT -1, company_id, made_on, warehouse_id, type, stage, currency, qty,
                 received_qty, CASE WHEN state = 'ordered' THEN open_qty ELSE 0 END, amount, due_amount, paid_amount
            FROM gone) AS o
   GROUP BY 1, 2, 3, 4, 5, 6
  HAVING (sum(sign), sum(sign * qty), sum(sign * received_qty), sum(sign * waited), sum(sign * amount),
          sum(sign * due_amount), sum(sign * paid_amount))
         IS DISTINCT FROM (0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::numeric, 0::numeric, 0::numeric);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sum_changed AFTER UPDATE ON purchase.purchase_order REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_changed();
