-- Adds new orders to the sums. The sums follow every change of an order, so the statement that adds them is planned once in
-- a session, not each time: one function for each kind of change instead of one that puts its text together. All work as
-- the owner: who takes an order over into his warehouse may write nothing about the one it was for.
CREATE OR REPLACE FUNCTION purchase.sum_added() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, orders, qty, received_qty, open_qty,
                                  amount, due_amount, paid_amount)
  SELECT company_id, made_on, warehouse_id, type, stage, currency, count(*), sum(qty),
         sum(received_qty), sum(CASE WHEN state = 'ordered' THEN open_qty ELSE 0 END), sum(amount), sum(due_amount),
         sum(paid_amount)
    FROM added
   GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER sum_added AFTER INSERT ON purchase.purchase_order REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_added();
