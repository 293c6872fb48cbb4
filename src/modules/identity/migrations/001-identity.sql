CALL kit.module_schema('identity');

-- A company is a tenant; its own id is the company_id of all its rows.
CREATE TABLE identity.company (
  company_id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL,
  time_zone text NOT NULL DEFAULT 'Asia/Shanghai',
  base_currency char(3) NOT NULL DEFAULT 'CNY',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closing', 'erased')),
  expire_date date,
  created_at timestamptz NOT NULL DEFAULT kit.now()
);
CALL kit.tenant_table('identity.company', open_to_system => true);

CREATE TABLE identity.member (
  company_id uuid NOT NULL REFERENCES identity.company,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- phone in E.164 or lower-cased e-mail
  account text NOT NULL,
  password_hash text NOT NULL,
  password_changed_at timestamptz NOT NULL DEFAULT kit.now(),
  name text NOT NULL,
  tel text,
  email text,
  image_file_id uuid,
  user_type text NOT NULL DEFAULT 'member' CHECK (user_type IN ('operator', 'owner', 'support', 'member')),
  is_disabled boolean NOT NULL DEFAULT false,
  expire_date date,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  deleted_at timestamptz,
  PRIMARY KEY (company_id, id)
);
-- Log-in knows only the account, so it is unique across companies.
CREATE UNIQUE INDEX member_account ON identity.member (account) WHERE deleted_at IS NULL;
CALL kit.tenant_table('identity.member', open_to_system => true);

CREATE TABLE identity.role (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CALL kit.tenant_table('identity.role');

CREATE TABLE identity.role_permission (
  company_id uuid NOT NULL,
  role_id uuid NOT NULL,
  code text NOT NULL,
  PRIMARY KEY (company_id, role_id, code),
  FOREIGN KEY (company_id, role_id) REFERENCES identity.role ON DELETE CASCADE
);
CALL kit.tenant_table('identity.role_permission');

CREATE TABLE identity.member_role (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  role_id uuid NOT NULL,
  PRIMARY KEY (company_id, member_id, role_id),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member,
  FOREIGN KEY (company_id, role_id) REFERENCES identity.role
);
CALL kit.tenant_table('identity.member_role');

-- Only the hash of a session id is kept.
CREATE TABLE identity.session (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  token_hash text NOT NULL,
  member_id uuid NOT NULL,
  login_type text NOT NULL CHECK (login_type IN ('api', 'sso', 'other')),
  uid text,
  ip text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  last_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revoke_reason text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CREATE UNIQUE INDEX session_token ON identity.session (token_hash);
CREATE INDEX session_member ON identity.session (company_id, member_id) WHERE revoked_at IS NULL;
CALL kit.tenant_table('identity.session', open_to_system => true);

-- Attempts are written for unknown accounts too, so that nobody learns which exist.
CREATE TABLE identity.login_log (
  -- Holds the time at which it was written, by the product's clock.
  id uuid PRIMARY KEY DEFAULT uuidv7(kit.clock_shift()),
  at timestamptz NOT NULL DEFAULT kit.instant(),
  account text NOT NULL,
  company_id uuid,
  member_id uuid,
  ok boolean NOT NULL,
  reason text,
  ip text,
  user_agent text
);
CREATE INDEX login_log_account ON identity.login_log (account, at DESC);
CREATE INDEX login_log_ip ON identity.login_log (ip, at DESC);
GRANT SELECT, INSERT ON identity.login_log TO erp_app;
ALTER TABLE identity.login_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE identity.login_log FORCE ROW LEVEL SECURITY;
CREATE POLICY company ON identity.login_log FOR SELECT USING (company_id = (SELECT kit.company()));
CREATE POLICY system ON identity.login_log USING ((SELECT current_setting('app.scope', true)) = 'system');

-- Lives two minutes and belongs to nobody; losing it in a crash costs one more drag.
CREATE UNLOGGED TABLE identity.captcha_challenge (
  token uuid PRIMARY KEY,
  type text NOT NULL,
  answer jsonb NOT NULL,
  secret_key text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX captcha_challenge_age ON identity.captcha_challenge (expires_at);
CREATE UNLOGGED TABLE identity.captcha_pass (
  hash text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX captcha_pass_age ON identity.captcha_pass (expires_at);
GRANT SELECT, INSERT, DELETE ON identity.captcha_challenge, identity.captcha_pass TO erp_app;
