-- A change may be the amount that a platform takes for an order, whose lines stay as they are: order currency, all of the order.
ALTER TABLE purchase.amendment ADD COLUMN platform_total numeric(18, 4);
