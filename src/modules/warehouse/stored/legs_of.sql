-- The legs of moves, netted by balance and sorted in the order in which apply() locks.
CREATE OR REPLACE FUNCTION warehouse.legs_of(moves warehouse.move[]) RETURNS warehouse.cell[] LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (SELECT array_agg(ROW(s, w, p, l, b, d, NULL, NULL, false)::warehouse.cell ORDER BY s, w, p, l, b) FROM (
    SELECT s, w, p, l, b, sum(d)::int AS d FROM (
      SELECT fs AS s, fw AS w, p, fl AS l, fb AS b, -q AS d FROM unnest(moves)
      UNION ALL SELECT ts, tw, p, tl, tb, q FROM unnest(moves)) AS leg
     GROUP BY 1, 2, 3, 4, 5 HAVING sum(d) <> 0) AS net);
END $$;
