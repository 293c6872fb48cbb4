-- Data rights of members who may see some stores only.
CALL kit.data_scope('inventory.fba_stock', 'account', 'account_id');
CALL kit.data_scope('inventory.fba_stock_day', 'account', 'account_id');
CALL kit.data_scope('inventory.fba_snapshot', 'account', 'account_id');
CALL kit.data_scope('inventory.report_load', 'account', 'account_id');
