-- Two indexes of the same columns and rows: ship_order_shipped, which is read backwards too, is enough.
DROP INDEX shipping.ship_order_left;
-- What has not come yet, with all that a list of it says: orders on their way are summed without touching the lines themselves.
DROP INDEX shipping.ship_order_line_away;
CREATE INDEX ship_order_line_away ON shipping.ship_order_line (company_id, order_id)
  INCLUDE (id, msku, shipped_qty, received_qty, lost_qty) WHERE shipped_qty > received_qty + lost_qty;
