-- Writes the balances anew from the entries, while no posting is under way. Answers how many were wrong: 0, or somebody
-- went past the ledger.
CREATE OR REPLACE FUNCTION finance.rebuild_balances() RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  company uuid := kit.company();
  wrong int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('finance.gate:' || company, 0));
  WITH fold AS MATERIALIZED (
    SELECT book, item_id, currency, sum(amount) AS amount, sum(base) AS base, max(seq) AS seq
      FROM finance.entry WHERE company_id = company AND item_id IS NOT NULL GROUP BY 1, 2, 3
  ), emptied AS (
    UPDATE finance.balance AS b SET amount = 0, base = base * 0, last_seq = 0
     WHERE b.company_id = company AND (b.amount <> 0 OR b.last_seq <> 0)
       AND NOT EXISTS (SELECT FROM fold AS f WHERE (f.book, f.item_id) = (b.book, b.item_id))
    RETURNING 1
  ), put AS (
    INSERT INTO finance.balance AS b (company_id, book, item_id, currency, amount, base, last_seq, bound)
    SELECT company, f.book, f.item_id, f.currency, f.amount, CASE WHEN i.base IS NOT NULL THEN f.base END, f.seq,
           coalesce(i.amount, greatest(0, -f.amount))
      FROM fold AS f LEFT JOIN finance.open_item AS i ON i.company_id = company AND i.id = f.item_id
    ON CONFLICT (company_id, book, item_id) DO UPDATE SET amount = excluded.amount, base = excluded.base, last_seq = excluded.last_seq
     WHERE (b.amount, b.base, b.last_seq) IS DISTINCT FROM (excluded.amount, excluded.base, excluded.last_seq)
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM emptied) + (SELECT count(*) FROM put) INTO wrong;
  RETURN wrong;
END $$;

CALL kit.keep_function('finance.rebuild_balances()', 'erp_money', true);
