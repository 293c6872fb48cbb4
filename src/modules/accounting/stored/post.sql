-- Posts a voucher that is on its way to 'posted': all of its entries or none. Order of locks, the same for all: the voucher
-- (by the caller), the gate (shared; the end of a month takes it alone), balances by subject.
CREATE OR REPLACE FUNCTION accounting.post(paper accounting.voucher) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  held record;
  bad record;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('accounting.gate:' || paper.company_id, 0));
  PERFORM accounting.require_open(paper.company_id, paper.month, paper.type);
  SELECT count(*) AS lines, coalesce(sum(debit), 0) AS debit, coalesce(sum(credit), 0) AS credit INTO held
    FROM accounting.entry WHERE company_id = paper.company_id AND voucher_id = paper.id;
  IF held.debit <> held.credit THEN
    PERFORM accounting.refuse('GL001', format('凭证 %s 借贷不平衡，差额 %s', paper.number, held.debit - held.credit));
  END IF;
  IF held.lines < 2 OR held.debit = 0 OR held.debit <> paper.amount THEN
    PERFORM accounting.refuse('GL002', format('凭证 %s 至少要有两行分录，且金额不为零', paper.number));
  END IF;
  SELECT s.code, s.name INTO bad FROM accounting.entry AS e
    JOIN accounting.subject AS s ON s.company_id = e.company_id AND s.id = e.subject_id
   WHERE e.company_id = paper.company_id AND e.voucher_id = paper.id AND NOT s.leaf LIMIT 1;
  IF FOUND THEN
    PERFORM accounting.refuse('GL003', format('科目 %s %s 有下级，请选择末级科目', bad.code, bad.name));
  END IF;
  UPDATE accounting.entry SET ledger_day = paper.day WHERE company_id = paper.company_id AND voucher_id = paper.id;
  INSERT INTO accounting.balance AS b (company_id, month, subject_id, debit, credit)
  SELECT paper.company_id, paper.month, subject_id, sum(debit), sum(credit) FROM accounting.entry
   WHERE company_id = paper.company_id AND voucher_id = paper.id GROUP BY subject_id ORDER BY subject_id
  ON CONFLICT (company_id, month, subject_id)
  DO UPDATE SET debit = b.debit + excluded.debit, credit = b.credit + excluded.credit;
  IF paper.reversal_of IS NOT NULL THEN
    UPDATE accounting.voucher SET state = 'reversed', version = version + 1
     WHERE company_id = paper.company_id AND id = paper.reversal_of AND state = 'posted';
    IF NOT FOUND THEN
      PERFORM accounting.refuse('GL006', '凭证未过账或已经冲销');
    END IF;
  END IF;
END $$;

CALL kit.keep_function('accounting.post(accounting.voucher)', 'erp_books');
