-- Which reports of an account wait for the same call, in the order in which they get it.
CREATE INDEX report_request_waiting ON marketplace.report_request (company_id, account_id, status, priority, id)
  WHERE status IN ('planned', 'ready');
