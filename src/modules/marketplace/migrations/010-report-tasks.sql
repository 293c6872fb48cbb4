-- A document knows the request that it came of: replay reads the asked period there.
CREATE INDEX report_request_document ON marketplace.report_request (company_id, document_id) WHERE document_id IS NOT NULL;
CREATE INDEX report_document_loaded ON marketplace.report_document (company_id, report_type, created_at)
  WHERE loaded_at IS NOT NULL;
