-- Data rights of members who may see some stores only.
CALL kit.data_scope('sales.sku_day', 'account', 'account_id');
CALL kit.data_scope('sales.slot', 'account', 'account_id');
CALL kit.data_scope('sales.store_day', 'account', 'account_id');
CALL kit.data_scope('sales.dirty', 'account', 'account_id');
CALL kit.data_scope('sales.drift', 'account', 'account_id');
