-- What some postings took out of layers by move, CNY, as month ends have corrected it: the cost of what was issued or sent on.
-- It reads the layers of all warehouses: what a posting cost is no less because somebody may not see where it went.
CREATE OR REPLACE FUNCTION warehouse.issued_values(p_postings uuid[])
RETURNS TABLE (posting_id uuid, move_no int, amount numeric)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10000 SET search_path = pg_catalog, pg_temp AS $$
  SELECT x.posting_id, x.move_no, sum(x.amount)
    FROM (SELECT c.posting_id, c.move_no, c.amount
            FROM unnest(p_postings) AS p (id)
            JOIN warehouse.layer_consumption AS c ON c.company_id = kit.company() AND c.posting_id = p.id
          UNION ALL
          SELECT i.posting_id, i.move_no, i.amount
            FROM unnest(p_postings) AS p (id)
            JOIN warehouse.issue_cost AS i ON i.company_id = kit.company() AND i.posting_id = p.id) AS x
   GROUP BY 1, 2
$$;

REVOKE ALL ON FUNCTION warehouse.issued_values FROM PUBLIC;
GRANT EXECUTE ON FUNCTION warehouse.issued_values TO erp_app;
