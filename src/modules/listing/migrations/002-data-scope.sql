-- Data rights of members who may see some stores only.
CALL kit.data_scope('listing.listing', 'account', 'account_id');
CALL kit.data_scope('listing.price_change', 'account', 'account_id');
CALL kit.data_scope('listing.snapshot', 'account', 'account_id');
CALL kit.data_scope('listing.report_load', 'account', 'account_id');
