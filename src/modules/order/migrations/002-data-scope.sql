-- Data rights of members who may see some stores only.
CALL kit.data_scope('"order".amazon_order', 'account', 'account_id');
CALL kit.data_scope('"order".amazon_order_line', 'account', 'account_id');
CALL kit.data_scope('"order".sold_sku', 'account', 'account_id');
CALL kit.data_scope('"order".order_day', 'account', 'account_id');
CALL kit.data_scope('"order".order_quarantine', 'account', 'account_id');
CALL kit.data_scope('"order".search_progress', 'account', 'account_id');
CALL kit.data_scope_of('"order".order_change', '"order".amazon_order', '{selling_partner_id,amazon_order_id}', '{selling_partner_id,amazon_order_id}');
