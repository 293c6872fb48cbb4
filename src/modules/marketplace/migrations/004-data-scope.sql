-- Data rights of members who may see some stores only.
CALL kit.data_scope('marketplace.seller_account', 'store', 'store_id');
CALL kit.data_scope('marketplace.seller_marketplace', 'account', 'account_id');
CALL kit.data_scope('marketplace.oauth_state', 'store', 'store_id');
CALL kit.data_scope('marketplace.sync_cursor', 'account', 'account_id');
CALL kit.data_scope('marketplace.sync_run', 'account', 'account_id');
CALL kit.data_scope('marketplace.report_request', 'account', 'account_id');
CALL kit.data_scope('marketplace.report_document', 'account', 'account_id');
CALL kit.data_scope('marketplace.upload_batch', 'account', 'account_id');
CALL kit.data_scope('marketplace.store', 'store', 'id');
