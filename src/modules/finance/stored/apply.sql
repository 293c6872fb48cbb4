-- Locks the balances in order, adds to them, writes the entries. Of an item in another currency the CNY value goes down with
-- the amount: it ends where the amount ends.
CREATE OR REPLACE FUNCTION finance.apply(company uuid, posting uuid, day date, lines jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  line record;
  held finance.balance;
  after numeric;
  worth numeric;
BEGIN
  FOR line IN
    SELECT x.n, x.b, x.i, x.c, x.a, x.v, coalesce(x.p, '') AS p, x.k, coalesce(x.m, '') AS m
      FROM jsonb_to_recordset(lines) AS x(n int, b text, i uuid, c text, a numeric, v numeric, p text, k uuid, m text)
     ORDER BY x.b, x.i, x.n
  LOOP
    after := NULL;
    worth := NULL;
    IF line.b IN ('ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE') THEN
      IF line.b = 'ACCOUNT' THEN
        INSERT INTO finance.balance (company_id, book, item_id, currency) VALUES (company, line.b, line.i, line.c)
        ON CONFLICT DO NOTHING;
      END IF;
      SELECT * INTO held FROM finance.balance AS h
       WHERE h.company_id = company AND h.book = line.b AND h.item_id = line.i FOR UPDATE;
      after := held.amount + line.a;
      IF NOT (CASE line.b WHEN 'ACCOUNT' THEN after >= -held.bound WHEN 'PAYABLE' THEN after BETWEEN -held.bound AND 0
          ELSE after BETWEEN 0 AND held.bound END) THEN
        PERFORM finance.refuse_bound(company, held, line.a);
      END IF;
      worth := held.base + line.v;
      IF held.base IS NOT NULL AND (worth IS NULL OR worth * after < 0 OR (after = 0 AND worth <> 0)) THEN
        RAISE EXCEPTION 'value of % would be % for %', line.i, worth, after USING ERRCODE = 'FN099';
      END IF;
    END IF;
    INSERT INTO finance.entry (company_id, seq, posting_id, line_no, book, item_id, currency, amount, base, balance_after, purpose,
      category_id, memo, business_date)
    VALUES (company, nextval('finance.money_seq'), posting, line.n, line.b, line.i, line.c, line.a, line.v, after, line.p, line.k,
      line.m, day);
    IF after IS NOT NULL THEN
      UPDATE finance.balance AS h SET amount = after, base = worth, last_seq = currval('finance.money_seq')
       WHERE h.company_id = company AND h.book = line.b AND h.item_id = line.i;
    END IF;
  END LOOP;
END $$;

CALL kit.keep_function('finance.apply(uuid,uuid,date,jsonb)', 'erp_money');
