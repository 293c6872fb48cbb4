-- Writes the entries of a posting: one per balance that it moved.
CREATE OR REPLACE FUNCTION warehouse.write_entries(company uuid, posting uuid, moment timestamptz, day date, cells warehouse.cell[],
  moves warehouse.move[], taken numeric[], given numeric[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id,
    warehouse_id, location_id, lot_id, status, qty, balance_after, unit_cost, amount)
  SELECT company, c.seq, moment, posting, c.n, day, c.p, c.w, c.l, c.b, c.s, c.d, c.after, round(v.a / c.d, 6), v.a
    FROM unnest(cells) WITH ORDINALITY AS c(s, w, p, l, b, d, after, seq, bad, n)
    LEFT JOIN (
      SELECT s, w, p, l, b, sum(a) AS a FROM (
        SELECT fs AS s, fw AS w, p, fl AS l, fb AS b, -coalesce(given[n], nullif(taken[n], 0)) AS a FROM unnest(moves)
        UNION ALL SELECT ts, tw, p, tl, tb, coalesce(given[n], nullif(taken[n], 0)) FROM unnest(moves)) AS leg
       GROUP BY 1, 2, 3, 4, 5) AS v
      ON (v.s, v.w, v.p, v.l, v.b) = (c.s, c.w, c.p, c.l, c.b);
END $$;

CALL kit.keep_function('warehouse.write_entries(uuid,uuid,timestamp with time zone,date,warehouse.cell[],warehouse.move[],numeric[],numeric[])', 'erp_ledger');
