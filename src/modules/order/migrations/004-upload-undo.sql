-- An upload can be undone: an order with its lines, and what it taught of a SKU.
CALL marketplace.undoable('"order".amazon_order', 'order', ARRAY['selling_partner_id', 'amazon_order_id']);
CALL marketplace.undoable('"order".amazon_order_line', 'order', ARRAY['selling_partner_id', 'amazon_order_id']);
CALL marketplace.undoable('"order".sold_sku');
