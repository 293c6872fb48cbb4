-- Sets how far an account may be overdrawn. It cannot become less than what is overdrawn now.
CREATE OR REPLACE FUNCTION finance.set_overdraft(account uuid, amount numeric) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  company uuid := kit.company();
  own finance.cash_account;
  held numeric;
BEGIN
  SELECT * INTO own FROM finance.cash_account AS a WHERE a.company_id = company AND a.id = account;
  IF own.id IS NULL THEN
    PERFORM finance.refuse('FN003', '账户不存在或已删除');
  END IF;
  INSERT INTO finance.balance (company_id, book, item_id, currency) VALUES (company, 'ACCOUNT', account, own.currency)
  ON CONFLICT DO NOTHING;
  SELECT h.amount INTO held FROM finance.balance AS h
   WHERE h.company_id = company AND h.book = 'ACCOUNT' AND h.item_id = account FOR UPDATE;
  IF held < -set_overdraft.amount THEN
    PERFORM finance.refuse('FN001', format('账户【%s】当前已透支 %s，透支额度不能低于它', own.name, finance.words(-held, own.currency)));
  END IF;
  UPDATE finance.balance AS h SET bound = set_overdraft.amount
   WHERE h.company_id = company AND h.book = 'ACCOUNT' AND h.item_id = account AND h.bound <> set_overdraft.amount;
END $$;

CALL kit.keep_function('finance.set_overdraft(uuid,numeric)', 'erp_money', true);
