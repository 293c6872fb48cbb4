-- Takes orders that went out of the sums. A company that moves or is erased loses its sums as a whole: nothing is written
-- about it.
CREATE OR REPLACE FUNCTION purchase.sum_gone() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, orders, qty, received_qty, open_qty,
                                  amount, due_amount, paid_amount)
  SELECT company_id, o.made_on, warehouse_id, type, stage, o.currency, -count(*),
         -sum(qty), -sum(received_qty), -sum(CASE WHEN o.state = 'ordered' THEN open_qty ELSE 0 END), -sum(amount),
         -sum(due_amount), -sum(paid_amount)
    FROM gone AS o JOIN identity.company AS c USING (company_id)
   WHERE c.status IN ('active', 'suspended')
   GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sum_gone AFTER DELETE ON purchase.purchase_order REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_gone();
