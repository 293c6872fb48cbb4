-- Messages that ask people to examine a document, found by the document when it has been.
CREATE INDEX message_examine ON message.message (company_id, document_id) WHERE approval;
