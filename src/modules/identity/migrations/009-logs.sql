-- A company reads its own attempts by time.
CREATE INDEX login_log_company ON identity.login_log (company_id, at DESC);
