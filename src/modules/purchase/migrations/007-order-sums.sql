-- Sums of purchase orders by the day they were made (Asia/Shanghai), for the counts and totals of a list of very many.
-- A cell may have several rows: each change of orders adds what it changed, in its own transaction, and waits for
-- nobody; `exact` rows were counted from the orders of their day, see recountOrders().
CREATE TABLE purchase.order_sum (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  day date NOT NULL,
  warehouse_id uuid NOT NULL,
  type text NOT NULL,
  stage text NOT NULL,
  currency text NOT NULL,
  exact boolean NOT NULL DEFAULT false,
  orders bigint NOT NULL,
  qty bigint NOT NULL,
  received_qty bigint NOT NULL,
  -- of placed orders only
  open_qty bigint NOT NULL,
  -- in the currency
  amount numeric(24, 4) NOT NULL,
  due_amount numeric(24, 4) NOT NULL,
  paid_amount numeric(24, 4) NOT NULL,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX order_sum_day ON purchase.order_sum (company_id, day);
CREATE INDEX order_sum_change ON purchase.order_sum (company_id, day) WHERE NOT exact;
CALL kit.tenant_table('purchase.order_sum');

CREATE INDEX purchase_order_created
  ON purchase.purchase_order (company_id, (((created_at AT TIME ZONE 'Asia/Shanghai')::date)), id DESC);
-- What is late is among what is waited for.
CREATE INDEX purchase_order_waiting ON purchase.purchase_order (company_id, expected_on)
  WHERE state = 'ordered' AND open_qty > 0;

-- Adds what a statement changed; a company that moves or is erased loses its sums as a whole. Works as the owner: who
-- takes an order over into his warehouse may write nothing about the one it was for.
CREATE FUNCTION purchase.sum_orders() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  sources text := CASE TG_OP WHEN 'INSERT' THEN 'SELECT 1 AS sign, o.* FROM added AS o'
                             WHEN 'DELETE' THEN 'SELECT -1 AS sign, o.* FROM gone AS o
                                 JOIN identity.company AS c USING (company_id) WHERE c.status IN (''active'', ''suspended'')'
                             ELSE 'SELECT 1 AS sign, o.* FROM added AS o UNION ALL SELECT -1, o.* FROM gone AS o' END;
BEGIN
  EXECUTE format($sql$
    INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, orders, qty, received_qty, open_qty,
                                    amount, due_amount, paid_amount)
    SELECT company_id, (created_at AT TIME ZONE 'Asia/Shanghai')::date, warehouse_id, type, stage, currency, sum(sign),
           sum(sign * qty), sum(sign * received_qty), sum(CASE WHEN state = 'ordered' THEN sign * open_qty ELSE 0 END),
           sum(sign * amount), sum(sign * due_amount), sum(sign * paid_amount)
      FROM (%s) AS o
     GROUP BY 1, 2, 3, 4, 5, 6
    HAVING (sum(sign), sum(sign * qty), sum(sign * received_qty),
            sum(CASE WHEN state = 'ordered' THEN sign * open_qty ELSE 0 END), sum(sign * amount), sum(sign * due_amount),
            sum(sign * paid_amount)) IS DISTINCT FROM (0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::numeric, 0::numeric, 0::numeric)
  $sql$, sources);
  RETURN NULL;
END $$;
CREATE TRIGGER sum_added AFTER INSERT ON purchase.purchase_order REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_orders();
CREATE TRIGGER sum_gone AFTER DELETE ON purchase.purchase_order REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_orders();
CREATE TRIGGER sum_changed AFTER UPDATE ON purchase.purchase_order REFERENCING OLD TABLE AS gone NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION purchase.sum_orders();

INSERT INTO purchase.order_sum (company_id, day, warehouse_id, type, stage, currency, exact, orders, qty, received_qty, open_qty,
                                amount, due_amount, paid_amount)
SELECT company_id, (created_at AT TIME ZONE 'Asia/Shanghai')::date, warehouse_id, type, stage, currency, true, count(*),
       sum(qty), sum(received_qty), coalesce(sum(open_qty) FILTER (WHERE state = 'ordered'), 0), sum(amount), sum(due_amount),
       sum(paid_amount)
  FROM purchase.purchase_order
 GROUP BY 1, 2, 3, 4, 5, 6;
