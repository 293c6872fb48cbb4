-- Reads moves and settles where the value of what comes in is from: layers that come from inside are carried on, what
-- comes from outside without a word of its cost is worth what the last layer was.
CREATE OR REPLACE FUNCTION warehouse.moves_of(list jsonb) RETURNS warehouse.move[] LANGUAGE plpgsql AS $$
DECLARE
  moves warehouse.move[];
BEGIN
  SELECT array_agg(ROW(m.n, m.p, m.q, m.fw, m.fl, m.fb, m.fs, m.tw, m.tl, m.tb, m.ts, m.r,
           CASE WHEN x.comes THEN CASE WHEN x.goes THEN 'CARRY' ELSE coalesce(m.k, 'LAST') END END,
           CASE WHEN x.comes AND x.goes THEN -m.n ELSE m.g END, m.a, m.w, m.od, m.st, m.c)::warehouse.move ORDER BY m.n)
    INTO moves
    FROM jsonb_populate_recordset(NULL::warehouse.move, list) AS m CROSS JOIN LATERAL (
      SELECT warehouse.leaves(m.fs, m.fw, m.fb, m.ts, m.tw, m.tb) AS goes,
             warehouse.leaves(m.ts, m.tw, m.tb, m.fs, m.fw, m.fb) AS comes) AS x;
  IF EXISTS (
    SELECT FROM unnest(moves) AS m WHERE g IS NOT NULL GROUP BY g
    HAVING bool_or(k = 'CARRY') AND sum(q) FILTER (WHERE k = 'CARRY')
       IS DISTINCT FROM sum(q) FILTER (WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb))
  ) THEN
    RAISE EXCEPTION 'pieces that carry layers on are not as many as those that gave them' USING ERRCODE = 'WH099';
  END IF;
  -- What comes back as the same product leaves no entry that could say what became of its value.
  IF EXISTS (
    SELECT FROM unnest(moves) AS m WHERE g > 0 GROUP BY g, p
    HAVING bool_or(k IS NULL) AND bool_or(k IS NOT NULL)
  ) THEN
    PERFORM warehouse.refuse('WH009', '调出SKU与调入SKU不能相同');
  END IF;
  RETURN moves;
END $$;

CALL kit.keep_function('warehouse.moves_of(jsonb)', 'erp_ledger');
