-- Refuses a day to come, a closed month, and a day of the past at whose end an account would have been overdrawn; the
-- entries are written already.
CREATE OR REPLACE FUNCTION finance.check_day(company uuid, day date, lines jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bad record;
BEGIN
  IF day > finance.today() THEN
    PERFORM finance.refuse('FN004', '业务日期不能晚于今天');
  END IF;
  IF EXISTS (SELECT FROM finance.period WHERE company_id = company AND state = 'CLOSED' AND month = date_trunc('month', day)::date) THEN
    PERFORM finance.refuse('FN004', format('%s 已关账，不能新增或修改；请录入到当前期间或申请反关账', to_char(day, 'YYYY-MM')));
  END IF;
  IF day = finance.today() THEN
    RETURN;
  END IF;
  SELECT a.name, e.business_date, e.closing, a.currency INTO bad
    FROM (SELECT i, sum(a) AS a FROM jsonb_to_recordset(lines) AS l(b text, i uuid, a numeric) WHERE b = 'ACCOUNT'
           GROUP BY 1 HAVING sum(a) < 0) AS x
    JOIN finance.balance AS h ON h.company_id = company AND h.book = 'ACCOUNT' AND h.item_id = x.i
    JOIN finance.cash_account AS a ON a.company_id = company AND a.id = x.i
    CROSS JOIN LATERAL (
      SELECT d.business_date, sum(d.amount) OVER (ORDER BY d.business_date) AS closing
        FROM (SELECT business_date, sum(amount) AS amount FROM finance.entry
               WHERE company_id = company AND item_id = x.i GROUP BY 1) AS d) AS e
   WHERE e.business_date >= day AND e.closing < -h.bound
   ORDER BY e.business_date LIMIT 1;
  IF FOUND THEN
    PERFORM finance.refuse('FN001', format('账户【%s】在 %s 余额不足，日终将为 %s', bad.name, bad.business_date,
      finance.words(bad.closing, bad.currency)));
  END IF;
END $$;

CALL kit.keep_function('finance.check_day(uuid,date,jsonb)', 'erp_money');
