-- What a report is about beside its sites and period, as Amazon's option says it (ASINs with blanks between them); '' for most.
-- Reports of one window differ by it alone.
ALTER TABLE marketplace.report_request ADD COLUMN subject text NOT NULL DEFAULT '';

DROP INDEX marketplace.report_request_window;
CREATE UNIQUE INDEX report_request_window ON marketplace.report_request
  (company_id, account_id, report_type, marketplace_ids, data_from, data_to, subject) WHERE data_from IS NOT NULL;
