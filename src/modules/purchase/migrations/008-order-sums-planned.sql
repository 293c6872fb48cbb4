-- The sums follow every change of an order, so the statement that adds them is planned once in a session, not each time:
-- one function for each kind of change instead of one that puts its text together.
CREATE FUNCTION purchase.sum_added() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, orders, qty, received_qty, open_qty,
                                  amount, due_amount, paid_amount)
  SELECT company_id, (created_at AT TIME ZONE 'Asia/Shanghai')::date, warehouse_id, type, stage, currency, count(*), sum(qty),
         sum(received_qty), sum(CASE WHEN state = 'ordered' THEN open_qty ELSE 0 END), sum(amount), sum(due_amount),
         sum(paid_amount)
    FROM added
   GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;

CREATE FUNCTION purchase.sum_gone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, orders, qty, received_qty, open_qty,
                                  amount, due_amount, paid_amount)
  SELECT company_id, (o.created_at AT TIME ZONE 'Asia/Shanghai')::date, warehouse_id, type, stage, o.currency, -count(*),
         -sum(qty), -sum(received_qty), -sum(CASE WHEN o.state = 'ordered' THEN open_qty ELSE 0 END), -sum(amount),
         -sum(due_amount), -sum(paid_amount)
    FROM gone AS o JOIN identity.company AS c USING (company_id)
   WHERE c.status IN ('active', 'suspended')
   GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;

-- Most changes are of columns that no sum is of: they cost a comparison.
CREATE FUNCTION purchase.sum_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, orders, qty, received_qty, open_qty,
                                  amount, due_amount, paid_amount)
  SELECT company_id, day, warehouse_id, type, stage, currency, sum(sign), sum(sign * qty), sum(sign * received_qty),
         sum(sign * waited), sum(sign * amount), sum(sign * due_amount), sum(sign * paid_amount)
    FROM (SELECT 1 AS sign, company_id, (created_at AT TIME ZONE 'Asia/Shanghai')::date AS day, warehouse_id, type, stage,
                 currency, qty, received_qty, CASE WHEN state = 'ordered' THEN open_qty ELSE 0 END AS waited, amount,
                 due_amount, paid_amount
            FROM added
           UNION ALL
          SELECT -1, company_id, (created_at AT TIME ZONE 'Asia/Shanghai')::date, warehouse_id, type, stage, currency, qty,
                 received_qty, CASE WHEN state = 'ordered' THEN open_qty ELSE 0 END, amount, due_amount, paid_amount
            FROM gone) AS o
   GROUP BY 1, 2, 3, 4, 5, 6
  HAVING (sum(sign), sum(sign * qty), sum(sign * received_qty), sum(sign * waited), sum(sign * amount),
          sum(sign * due_amount), sum(sign * paid_amount))
         IS DISTINCT FROM (0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::numeric, 0::numeric, 0::numeric);
  RETURN NULL;
END $$;

DROP TRIGGER sum_added ON purchase.purchase_order;
DROP TRIGGER sum_gone ON purchase.purchase_order;
DROP TRIGGER sum_changed ON purchase.purchase_order;
DROP FUNCTION purchase.sum_orders();
CREATE TRIGGER sum_added AFTER INSERT ON purchase.purchase_order REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_added();
CREATE TRIGGER sum_gone AFTER DELETE ON purchase.purchase_order REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_gone();
CREATE TRIGGER sum_changed AFTER UPDATE ON purchase.purchase_order REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_changed();
