-- Why a balance cannot take an amount: an account that is empty, an item that is settled already.
CREATE OR REPLACE FUNCTION finance.refuse_bound(company uuid, held finance.balance, change numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
  free numeric;
BEGIN
  IF held.book = 'ACCOUNT' THEN
    SELECT a.name INTO name FROM finance.cash_account AS a WHERE a.company_id = company AND a.id = held.item_id;
    PERFORM finance.refuse('FN001', format('账户【%s】余额不足：需要 %s，可用 %s', name,
      finance.words(-change, held.currency), finance.words(held.amount + held.bound, held.currency)));
  END IF;
  free := abs(held.amount);
  SELECT i.title INTO name FROM finance.open_item AS i WHERE i.company_id = company AND i.id = held.item_id;
  PERFORM finance.refuse('FN002', CASE
    WHEN (change < 0) = (held.book = 'PAYABLE')
      THEN format('【%s】冲回后将超过原金额 %s', name, finance.words(held.bound, held.currency))
    WHEN held.book = 'PAYABLE'
      THEN format('付款金额超过待付金额 %s（%s）', finance.words(free, held.currency), name)
      ELSE format('【%s】余额只有 %s，不足 %s', name, finance.words(free, held.currency), finance.words(abs(change), held.currency)) END,
    jsonb_build_object('item', held.item_id, 'open', free::text));
END $$;

CALL kit.keep_function('finance.refuse_bound(uuid,finance.balance,numeric)', 'erp_money');
