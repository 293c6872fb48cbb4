-- Data rights of members who may see some stores only.
CALL kit.data_scope('settlement.source_doc', 'account', 'account_id');
CALL kit.data_scope('settlement.settlement', 'account', 'account_id');
CALL kit.data_scope('settlement.money_line', 'account', 'account_id');
CALL kit.data_scope_of('settlement.fee_total', 'settlement.source_doc', '{source_doc_id}', '{id}');
