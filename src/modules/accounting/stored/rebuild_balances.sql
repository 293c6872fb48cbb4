-- Writes the balances anew from the posted entries, while no posting is under way. Answers how many were wrong: 0, or
-- somebody went past the ledger.
CREATE OR REPLACE FUNCTION accounting.rebuild_balances() RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  company uuid := kit.company();
  wrong int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('accounting.gate:' || company, 0));
  WITH fold AS MATERIALIZED (
    SELECT date_trunc('month', ledger_day)::date AS month, subject_id, sum(debit) AS debit, sum(credit) AS credit
      FROM accounting.entry WHERE company_id = company AND ledger_day IS NOT NULL GROUP BY 1, 2
  ), emptied AS (
    DELETE FROM accounting.balance AS b WHERE b.company_id = company
       AND NOT EXISTS (SELECT FROM fold AS f WHERE (f.month, f.subject_id) = (b.month, b.subject_id))
    RETURNING 1
  ), put AS (
    INSERT INTO accounting.balance AS b (company_id, month, subject_id, debit, credit)
    SELECT company, month, subject_id, debit, credit FROM fold
    ON CONFLICT (company_id, month, subject_id) DO UPDATE SET debit = excluded.debit, credit = excluded.credit
     WHERE (b.debit, b.credit) IS DISTINCT FROM (excluded.debit, excluded.credit)
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM emptied) + (SELECT count(*) FROM put) INTO wrong;
  RETURN wrong;
END $$;

CALL kit.keep_function('accounting.rebuild_balances()', 'erp_books', true);
