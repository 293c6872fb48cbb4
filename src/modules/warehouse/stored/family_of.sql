-- The layers that a posting made for some of its moves, with all layers that came of them by transfers and swaps. `values`:
-- [{ n: number of the move, l: only this layer of it }]. Answers each layer with the move and the layer of that posting
-- that it came of.
CREATE OR REPLACE FUNCTION warehouse.family_of(company uuid, origin uuid, "values" jsonb)
RETURNS TABLE (n int, root uuid, id uuid, product uuid) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE family AS (
    SELECT v.n, l.id AS root, l.id, l.product_id
      FROM jsonb_to_recordset("values") AS v(n int, l uuid)
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.source_posting_id = origin AND l.source_move = v.n
       AND (v.l IS NULL OR l.id = v.l)
    UNION ALL
    SELECT f.n, f.root, c.id, c.product_id
      FROM family AS f JOIN warehouse.cost_layer AS c ON c.company_id = company AND c.parent_layer_id = f.id
  )
  SELECT f.n, f.root, f.id, f.product_id FROM family AS f
$$;
