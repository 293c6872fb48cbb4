-- Secrets of the installation's application as Amazon changed them: one in the configuration would end after 180 days. Of
-- the installation and of no company, like the limits of calls.
CREATE TABLE marketplace.application_secret (
  client_id text PRIMARY KEY,
  -- null: so far only the end of the configured one is known
  secret_sealed text,
  -- SHA-256 of the configured secret that this one follows: where another one is configured, that is newer
  follows text NOT NULL,
  -- when the secret in use ends, by Amazon's word
  expires_at timestamptz NOT NULL,
  -- until then the one before it is good, too
  previous_until timestamptz,
  -- when Amazon said so: messages come twice and in any order
  told_at timestamptz NOT NULL,
  -- when a new one was asked for that has not come yet
  asked_at timestamptz
);
GRANT SELECT, INSERT, UPDATE ON marketplace.application_secret TO erp_app;
