-- The company's day on which an order was made, kept with it: a company that moves to another zone keeps its days.
ALTER TABLE purchase.purchase_order ADD COLUMN made_on date;
UPDATE purchase.purchase_order SET made_on = (created_at AT TIME ZONE 'Asia/Shanghai')::date;
ALTER TABLE purchase.purchase_order ALTER COLUMN made_on SET NOT NULL, ALTER COLUMN made_on SET DEFAULT kit.today();
DROP INDEX purchase.purchase_order_created;
CREATE INDEX purchase_order_made ON purchase.purchase_order (company_id, made_on, id DESC);
