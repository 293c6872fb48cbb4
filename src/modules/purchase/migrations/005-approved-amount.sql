-- What was approved, in the order's currency: later changes are measured by it, however many steps they take.
ALTER TABLE purchase.purchase_order ADD COLUMN approved_amount numeric(18, 4);
UPDATE purchase.purchase_order SET approved_amount = amount WHERE state NOT IN ('draft', 'pending', 'void');
