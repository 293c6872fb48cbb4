-- What went and came with a call that failed, for three days, short and without secrets and people.
ALTER TABLE marketplace.api_call ADD COLUMN request_body text, ADD COLUMN response_body text;
CREATE INDEX api_call_body ON marketplace.api_call (at) WHERE request_body IS NOT NULL OR response_body IS NOT NULL;
