-- Data rights of members who may see some stores only.
CALL kit.data_scope('profit.profit_daily', 'account', 'account_id');
CALL kit.data_scope('profit.dirty', 'account', 'account_id');
