-- What ship orders of the company bring Amazon and has not arrived, by listing. `transit` left and neither came nor was
-- lost; `waiting` has not left. `numbered` is the part of both whose order has Amazon's number of its shipment: Amazon knows
-- of it and names it among what is inbound, so it must not be counted beside that.
--
-- It reads the orders of all warehouses and stores: what comes is no less because somebody may not see who sends it.
CREATE OR REPLACE FUNCTION shipping.coming()
RETURNS TABLE (account_id uuid, marketplace_id text, msku text, transit int, waiting int, numbered int)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 1000 SET search_path = pg_catalog, pg_temp AS $$
  SELECT x.account_id, x.marketplace_id, x.msku, sum(x.transit)::int, sum(x.waiting)::int,
         coalesce(sum(x.transit + x.waiting) FILTER (WHERE x.numbered), 0)::int
    FROM (
      SELECT o.account_id, o.marketplace_id, l.msku,
             o.shipment_no <> '' OR EXISTS (SELECT FROM shipping.inbound_shipment AS i
               WHERE i.company_id = o.company_id AND i.order_id = o.id) AS numbered,
             CASE WHEN o.state IN ('shipped', 'receiving')
               THEN greatest(0, l.shipped_qty - l.received_qty - l.lost_qty) ELSE 0 END AS transit,
             CASE WHEN o.state IN ('packing', 'ready') THEN l.picked_qty
               WHEN o.state IN ('shipped', 'receiving') THEN 0 ELSE l.qty END AS waiting
        FROM shipping.ship_order AS o
        JOIN shipping.ship_order_line AS l ON l.company_id = o.company_id AND l.order_id = o.id
       WHERE o.company_id = kit.company()
         AND o.state IN ('draft', 'pending', 'rejected', 'held', 'picking', 'packing', 'ready', 'shipped', 'receiving')) AS x
   GROUP BY 1, 2, 3
$$;

REVOKE ALL ON FUNCTION shipping.coming FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shipping.coming TO erp_app;
