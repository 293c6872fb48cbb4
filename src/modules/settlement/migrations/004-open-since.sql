-- From when on an account has told of money, and what was released after some day.
CREATE INDEX source_doc_posted ON settlement.source_doc (company_id, account_id, posted_at) WHERE kind = 'TRANSACTION';
-- What a settlement or a release has ended.
CREATE INDEX source_doc_ended ON settlement.source_doc (company_id, superseded_by) WHERE superseded_by IS NOT NULL;
