-- Refuses a month that the books do not have or that is closed. Opening balances belong to the month before the first.
CREATE OR REPLACE FUNCTION accounting.require_open(company uuid, wanted date, type text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date;
  shut date := wanted;
BEGIN
  SELECT start_month INTO first FROM accounting.book WHERE company_id = company;
  IF first IS NULL THEN
    PERFORM accounting.refuse('GL008', '还没有账套，请先在「科目」套用模板');
  END IF;
  IF type = 'OPENING' THEN
    IF wanted <> (first - interval '1 month')::date THEN
      PERFORM accounting.refuse('GL004', '期初余额的日期必须在启用月份的前一个月');
    END IF;
    shut := first;
  ELSIF wanted < first THEN
    PERFORM accounting.refuse('GL004', format('凭证日期不能早于账套启用月份 %s', to_char(first, 'YYYY-MM')));
  END IF;
  IF EXISTS (SELECT FROM accounting.period WHERE company_id = company AND month = shut AND state = 'CLOSED') THEN
    PERFORM accounting.refuse('GL004', format('%s 已关账，不能新增或修改；请录入到当前期间或申请反关账', to_char(shut, 'YYYY-MM')));
  END IF;
END $$;

CALL kit.keep_function('accounting.require_open(uuid,date,text)', 'erp_books');
