-- Brings the snapshots of the company up to the ledger: every product and warehouse that a posting touched since the last
-- time is written anew from its first touched day on. Transactions that are still open stay for the next time: a snapshot
-- holds the postings before the mark that warehouse.snapshot_progress names, and no other. With `anew` all of them are
-- written from the entries. Answers the number of rows written.
--
-- Work over a whole ledger is worth a plan of its own. Writing all anew is one pass over the entries, which asks of each
-- whether its posting is old enough; almost all are, so what is looked up are the few that are not.
CREATE OR REPLACE FUNCTION warehouse.fold_snapshots(anew boolean DEFAULT false) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  company uuid := kit.company();
  horizon xid8 := pg_snapshot_xmin(pg_current_snapshot());
  since xid8;
  written int;
BEGIN
  INSERT INTO warehouse.snapshot_progress (company_id, upto) VALUES (company, '0') ON CONFLICT DO NOTHING;
  SELECT p.upto INTO since FROM warehouse.snapshot_progress AS p WHERE p.company_id = company FOR UPDATE;
  -- A database that was moved counts its transactions anew.
  IF anew OR since > horizon THEN
    since := '0';
  END IF;
  IF since = '0'::xid8 THEN
    DELETE FROM warehouse.daily_snapshot WHERE company_id = company;
    INSERT INTO warehouse.daily_snapshot (company_id, warehouse_id, product_id, status, business_date, qty, amount)
    SELECT company, m.warehouse_id, m.product_id, m.status, m.business_date,
           sum(m.qty) OVER cell, sum(m.amount) OVER cell
      FROM (SELECT e.warehouse_id, e.product_id, e.status, e.business_date, sum(e.qty) AS qty, coalesce(sum(e.amount), 0) AS amount
              FROM warehouse.stock_entry AS e
             WHERE e.company_id = company AND e.status <> 'OUTSIDE'
               AND NOT EXISTS (SELECT FROM warehouse.stock_posting AS p
                  WHERE p.company_id = company AND p.xid >= horizon AND p.id = e.posting_id)
             GROUP BY 1, 2, 3, 4) AS m
    WINDOW cell AS (PARTITION BY m.warehouse_id, m.product_id, m.status ORDER BY m.business_date);
    GET DIAGNOSTICS written = ROW_COUNT;
    UPDATE warehouse.snapshot_progress AS p SET upto = horizon, folded_at = kit.now() WHERE p.company_id = company;
    RETURN written;
  END IF;
  WITH touched AS MATERIALIZED (
    SELECT e.warehouse_id, e.product_id, e.status, min(e.business_date) AS day
      FROM warehouse.stock_posting AS p
      JOIN warehouse.stock_entry AS e ON e.company_id = company AND e.posting_id = p.id
     WHERE p.company_id = company AND p.xid >= since AND p.xid < horizon AND e.status <> 'OUTSIDE' GROUP BY 1, 2, 3
  ), moved AS (
    SELECT t.warehouse_id, t.product_id, t.status, e.business_date, sum(e.qty) AS qty, sum(coalesce(e.amount, 0)) AS amount, t.day
      FROM touched AS t
      JOIN warehouse.stock_entry AS e ON e.company_id = company AND e.product_id = t.product_id
       AND e.warehouse_id = t.warehouse_id AND e.status = t.status AND e.business_date >= t.day
       AND e.posted_at >= t.day - interval '1 day'
      JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = e.posting_id AND p.xid < horizon
     GROUP BY 1, 2, 3, 4, 7
  ), closing AS (
    SELECT m.warehouse_id, m.product_id, m.status, m.business_date,
           coalesce(o.qty, 0) + sum(m.qty) OVER cell AS qty, coalesce(o.amount, 0) + sum(m.amount) OVER cell AS amount
      FROM moved AS m
      LEFT JOIN LATERAL (SELECT d.qty, d.amount FROM warehouse.daily_snapshot AS d
         WHERE d.company_id = company AND (d.warehouse_id, d.product_id, d.status) = (m.warehouse_id, m.product_id, m.status)
           AND d.business_date < m.day ORDER BY d.business_date DESC LIMIT 1) AS o ON true
    WINDOW cell AS (PARTITION BY m.warehouse_id, m.product_id, m.status ORDER BY m.business_date)
  ), put AS (
    INSERT INTO warehouse.daily_snapshot AS d (company_id, warehouse_id, product_id, status, business_date, qty, amount)
    SELECT company, warehouse_id, product_id, status, business_date, qty, amount FROM closing
    ON CONFLICT (company_id, warehouse_id, product_id, status, business_date) DO UPDATE
       SET qty = excluded.qty, amount = excluded.amount
     WHERE (d.qty, d.amount) <> (excluded.qty, excluded.amount)
    RETURNING 1
  )
  SELECT count(*) INTO written FROM put;
  UPDATE warehouse.snapshot_progress AS p SET upto = horizon, folded_at = kit.now() WHERE p.company_id = company;
  RETURN written;
END $$;

CALL kit.keep_function('warehouse.fold_snapshots(boolean)', 'erp_ledger', true);
