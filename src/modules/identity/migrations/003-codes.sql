-- Codes sent to a phone or a mailbox, before anybody is known. Key and code are kept as hashes only; rows stay a day,
-- because the limits per target and per address are counted from them.
CREATE TABLE identity.verify_code (
  key_hash text PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('sms', 'email')),
  target text NOT NULL,
  purpose text NOT NULL,
  code_hash text NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  ip text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.instant(),
  expires_at timestamptz NOT NULL,
  verified_at timestamptz,
  consumed_at timestamptz
);
CREATE INDEX verify_code_target ON identity.verify_code (target, created_at DESC);
CREATE INDEX verify_code_ip ON identity.verify_code (ip, created_at DESC);
CREATE INDEX verify_code_age ON identity.verify_code (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.verify_code TO erp_app;

-- Hashes of the passwords that a member had before: the last five may not come back.
CREATE TABLE identity.password_history (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  member_id uuid NOT NULL,
  password_hash text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CREATE INDEX password_history_member ON identity.password_history (company_id, member_id, id DESC);
CALL kit.tenant_table('identity.password_history');

-- Recent calls and failures of one address in the captcha, shared by all processes; losing it in a crash forgives them.
CREATE UNLOGGED TABLE identity.captcha_client (
  client text PRIMARY KEY,
  state jsonb NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT kit.now()
);
CREATE INDEX captcha_client_age ON identity.captcha_client (seen_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.captcha_client TO erp_app;
