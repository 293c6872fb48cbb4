-- Refuses accounts that do not exist, are out of use or hold another currency, open items of somebody else, and a day
-- before an open item came to be.
CREATE OR REPLACE FUNCTION finance.check_items(company uuid, lines jsonb, day date, taking_back boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bad record;
BEGIN
  SELECT x.b, x.c, a.name, a.currency AS own, a.disabled, i.id AS item, i.currency AS item_own,
         i.title, i.business_date INTO bad
    FROM jsonb_to_recordset(lines) AS x(b text, i uuid, c text)
    LEFT JOIN finance.cash_account AS a ON x.b = 'ACCOUNT' AND a.company_id = company AND a.id = x.i
    LEFT JOIN finance.open_item AS i ON i.company_id = company AND i.id = x.i AND i.book = x.b
   WHERE x.b IN ('ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE')
     AND (CASE WHEN x.b = 'ACCOUNT' THEN a.id IS NULL OR a.currency <> x.c OR (a.disabled AND NOT taking_back)
               ELSE i.id IS NULL OR i.currency <> x.c OR i.business_date > day END)
   LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF bad.item IS NOT NULL AND bad.item_own = bad.c THEN
    PERFORM finance.refuse('FN004', format('【%s】发生于 %s，业务日期不能早于该日', bad.title, bad.business_date));
  END IF;
  PERFORM finance.refuse('FN003', CASE
    WHEN bad.b = 'ACCOUNT' AND bad.name IS NULL THEN '账户不存在或已删除'
    WHEN bad.b = 'ACCOUNT' AND bad.own <> bad.c THEN format('账户【%s】的币种为 %s，不能记 %s', bad.name, bad.own, bad.c)
    WHEN bad.b = 'ACCOUNT' THEN format('账户【%s】已停用', bad.name)
    WHEN bad.item IS NULL THEN '往来款项不存在或已删除'
    ELSE format('往来款项的币种为 %s，不能记 %s', bad.item_own, bad.c) END);
END $$;

CALL kit.keep_function('finance.check_items(uuid,jsonb,date,boolean)', 'erp_money');
