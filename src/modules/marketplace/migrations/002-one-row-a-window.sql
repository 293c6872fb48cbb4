-- A window has one row, however often it was asked for: with the number of the try in the key a window that is asked for again
-- got a second row, whose second try then met the first one's. Of doubled ones the row with data stays, else the newest.
DELETE FROM marketplace.report_request AS r
 USING (SELECT company_id, id,
               row_number() OVER (PARTITION BY company_id, account_id, report_type, marketplace_ids, data_from, data_to
                                  ORDER BY document_id IS NULL, created_at DESC, id) AS place
          FROM marketplace.report_request WHERE data_from IS NOT NULL) AS known
 WHERE r.company_id = known.company_id AND r.id = known.id AND known.place > 1;

DROP INDEX marketplace.report_request_window;
CREATE UNIQUE INDEX report_request_window ON marketplace.report_request
  (company_id, account_id, report_type, marketplace_ids, data_from, data_to) WHERE data_from IS NOT NULL;
