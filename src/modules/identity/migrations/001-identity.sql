CALL kit.module_schema('identity');

-- Companies and their people

-- A company is a tenant; its own id is the company_id of all its rows.
CREATE TABLE identity.company (
  company_id uuid PRIMARY KEY DEFAULT uuidv7(),
  name text NOT NULL,
  time_zone text NOT NULL DEFAULT 'Asia/Shanghai',
  base_currency char(3) NOT NULL DEFAULT 'CNY',
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closing', 'erased', 'merged')),
  -- Where its data has been moved to, for who looks it up; rows of two companies do not refer to each other. What was
  -- sealed in its log stays with it.
  merged_into uuid,
  expire_date date,
  -- what the operator of the product sells to it; a limit that is not named does not hold
  plan_name text,
  plan_limits jsonb NOT NULL DEFAULT '{}',
  remark text,
  -- dimensions on which its data rights are switched on; on any other, everybody reaches everything
  scope_dimensions text[] NOT NULL DEFAULT '{store,warehouse}',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  CHECK ((status = 'merged') = (merged_into IS NOT NULL))
);
CALL kit.tenant_table('identity.company', open_to_system => true);

-- Departments of a company, a tree.
CREATE TABLE identity.department (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  parent_id uuid,
  name text NOT NULL,
  leader_id uuid,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  sort int NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE NULLS NOT DISTINCT (company_id, parent_id, name),
  FOREIGN KEY (company_id, parent_id) REFERENCES identity.department
);
CREATE INDEX department_leader ON identity.department (company_id, leader_id);
CALL kit.tenant_table('identity.department');

CREATE TABLE identity.member (
  company_id uuid NOT NULL REFERENCES identity.company,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- phone in E.164 or lower-cased e-mail
  account text NOT NULL,
  password_hash text NOT NULL,
  password_changed_at timestamptz NOT NULL DEFAULT kit.now(),
  -- a password that somebody else made up: whoever logs in with it changes it before anything else
  must_change_password boolean NOT NULL DEFAULT false,
  name text NOT NULL,
  tel text,
  email text,
  -- the address counts for messages and log-in help only once a code proved it
  email_verified boolean NOT NULL DEFAULT false,
  image_file_id uuid,
  user_type text NOT NULL DEFAULT 'member' CHECK (user_type IN ('operator', 'owner', 'support', 'member')),
  dept_id uuid,
  remark text,
  is_disabled boolean NOT NULL DEFAULT false,
  expire_date date,
  -- the end of the account that its company has been told of: whatever waited for the person has been passed on
  expiry_told date,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  deleted_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, dept_id) REFERENCES identity.department
);
-- Log-in knows only the account, so it is unique across companies.
CREATE UNIQUE INDEX member_account ON identity.member (account) WHERE deleted_at IS NULL;
CREATE INDEX member_dept ON identity.member (company_id, dept_id) WHERE deleted_at IS NULL;
CREATE INDEX member_expiry ON identity.member (expire_date)
 WHERE expire_date IS NOT NULL AND deleted_at IS NULL AND NOT is_disabled;
CALL kit.tenant_table('identity.member', open_to_system => true);

-- Departments and members refer to each other.
ALTER TABLE identity.department ADD FOREIGN KEY (company_id, leader_id) REFERENCES identity.member;

-- By which channels somebody wants to hear of an event; where no row is, the event's own default holds.
CREATE TABLE identity.channel_preference (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  event text NOT NULL,
  channel text NOT NULL CHECK (channel IN ('site', 'email', 'sms', 'wechat', 'feishu', 'dingtalk')),
  wanted boolean NOT NULL,
  PRIMARY KEY (company_id, member_id, event, channel),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CALL kit.tenant_table('identity.channel_preference');

-- Somebody asked to be forgotten. Until effective_at a log-in takes it back; then a job erases within 30 days.
CREATE TABLE identity.closure (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  whole_company boolean NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT kit.now(),
  effective_at timestamptz NOT NULL,
  erased_at timestamptz,
  PRIMARY KEY (company_id, member_id),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CREATE INDEX closure_due ON identity.closure (effective_at) WHERE erased_at IS NULL;
CALL kit.tenant_table('identity.closure', open_to_system => true);

-- Roles: what people may do, and which data they reach

CREATE TABLE identity.role (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- from which template it was made, if any
  template text,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text,
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
CREATE INDEX member_role_role ON identity.member_role (company_id, role_id);
CALL kit.tenant_table('identity.member_role');

-- What a role reaches on a dimension. No row: nothing.
CREATE TABLE identity.role_scope (
  company_id uuid NOT NULL,
  role_id uuid NOT NULL,
  dimension text NOT NULL,
  -- persons are also reached by where they stand: oneself, one's department, everything below it
  mode text NOT NULL CHECK (mode IN ('ALL', 'LIST', 'SELF', 'DEPT', 'DEPT_TREE')),
  ids uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (company_id, role_id, dimension),
  FOREIGN KEY (company_id, role_id) REFERENCES identity.role ON DELETE CASCADE
);
CALL kit.tenant_table('identity.role_scope');

-- Narrows what a member's roles reach. No row: nothing is narrowed.
CREATE TABLE identity.member_scope (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  dimension text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('ALL', 'LIST', 'SELF', 'DEPT', 'DEPT_TREE')),
  ids uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (company_id, member_id, dimension),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CALL kit.tenant_table('identity.member_scope');

-- The operator's changes to the menu that the modules declare. Rows of the operator's own company (all zeros) hold for
-- everybody; no other company has any.
CREATE TABLE identity.menu_overlay (
  company_id uuid NOT NULL,
  -- name of a declared entry ("system.组织"), or of one that the operator added ("custom.…")
  key text NOT NULL,
  kind text NOT NULL DEFAULT 'entry' CHECK (kind IN ('entry', 'dir', 'link')),
  parent text,
  title text,
  icon text,
  sort int,
  is_visible boolean NOT NULL DEFAULT true,
  redirect text,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text,
  PRIMARY KEY (company_id, key)
);
CALL kit.tenant_table('identity.menu_overlay', open_to_system => true);

-- Logging in

-- What a company asks of its people's log-ins; without a row the defaults hold.
CREATE TABLE identity.security_policy (
  company_id uuid PRIMARY KEY REFERENCES identity.company,
  mfa_required boolean NOT NULL DEFAULT false,
  password_profile text NOT NULL DEFAULT 'standard' CHECK (password_profile IN ('standard', 'amazonDpp')),
  idle_minutes int NOT NULL DEFAULT 180 CHECK (idle_minutes BETWEEN 5 AND 720),
  max_sessions int NOT NULL DEFAULT 3 CHECK (max_sessions BETWEEN 1 AND 20),
  -- networks from which people may work; empty: from anywhere
  ip_allow cidr[] NOT NULL DEFAULT '{}',
  updated_by uuid,
  updated_at timestamptz NOT NULL DEFAULT kit.now()
);
CALL kit.tenant_table('identity.security_policy', open_to_system => true);

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
  -- A session whose id travelled in an address belongs to one browser and for a minute only, until its first use: hash of
  -- the browser's cookie and name; nothing once the session has been taken up.
  claim_hash text,
  claim_until timestamptz,
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
-- A company reads its own attempts by time.
CREATE INDEX login_log_company ON identity.login_log (company_id, at DESC);
GRANT SELECT, INSERT ON identity.login_log TO erp_app;
ALTER TABLE identity.login_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE identity.login_log FORCE ROW LEVEL SECURITY;
CREATE POLICY company ON identity.login_log FOR SELECT USING (company_id = (SELECT kit.company()));
CREATE POLICY system ON identity.login_log USING ((SELECT current_setting('app.scope', true)) = 'system');

-- Browsers that somebody has logged in with: hashes of the cookie by which one is known, and of its address and name,
-- which have to do where it keeps no cookies.
CREATE TABLE identity.known_device (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  device_hash text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  last_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, member_id, device_hash),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CALL kit.tenant_table('identity.known_device', open_to_system => true);

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

-- Recent calls and failures of one address in the captcha, shared by all processes; losing it in a crash forgives them.
CREATE UNLOGGED TABLE identity.captcha_client (
  client text PRIMARY KEY,
  state jsonb NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT kit.now()
);
CREATE INDEX captcha_client_age ON identity.captcha_client (seen_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.captcha_client TO erp_app;

-- The second factor

-- One-time passwords by time; the secret is sealed with a key outside the database.
CREATE TABLE identity.mfa (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  secret_sealed text NOT NULL,
  confirmed_at timestamptz,
  -- counter of the last password that was accepted: none is accepted twice
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, member_id),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CALL kit.tenant_table('identity.mfa', open_to_system => true);

CREATE TABLE identity.mfa_recovery (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  code_hash text NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (company_id, member_id, code_hash),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.mfa ON DELETE CASCADE
);
CALL kit.tenant_table('identity.mfa_recovery', open_to_system => true);

-- A log-in whose password was right and whose second factor is still to come.
CREATE TABLE identity.mfa_challenge (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  token_hash text NOT NULL,
  member_id uuid NOT NULL,
  login_type text NOT NULL,
  uid text,
  attempts int NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CREATE INDEX mfa_challenge_token ON identity.mfa_challenge (token_hash);
CREATE INDEX mfa_challenge_age ON identity.mfa_challenge (expires_at);
CALL kit.tenant_table('identity.mfa_challenge', open_to_system => true);

-- The same person in other companies and at other providers

-- Accounts of one person, in whatever companies. They stay apart; the group only lets him change between them.
CREATE TABLE identity.account_bind (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  group_id uuid NOT NULL,
  -- where it was bound: "web", "wechat", …
  app_type text NOT NULL DEFAULT 'web',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, member_id),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CREATE INDEX account_bind_group ON identity.account_bind (group_id);
CALL kit.tenant_table('identity.account_bind', open_to_system => true);

-- Who somebody is elsewhere.
CREATE TABLE identity.external_identity (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  member_id uuid NOT NULL,
  provider text NOT NULL,
  open_id text NOT NULL,
  -- the same person in all applications of one owner; the open id where the provider gives none
  union_id text NOT NULL,
  nickname text,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  last_used_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, provider, open_id, member_id),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CREATE INDEX external_identity_person ON identity.external_identity (provider, union_id);
CREATE INDEX external_identity_member ON identity.external_identity (company_id, member_id);
-- One person of a single sign-on provider is one member.
CREATE UNIQUE INDEX external_identity_oidc ON identity.external_identity (union_id) WHERE provider = 'oidc';
CALL kit.tenant_table('identity.external_identity', open_to_system => true);

-- Between leaving for another provider and coming back. Only hashes: of the state, and of who asked for it (the session
-- that binds, or a secret of the browser that logs in).
CREATE UNLOGGED TABLE identity.external_state (
  state_hash text PRIMARY KEY,
  holder_hash text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('bind', 'login', 'choose')),
  -- who came back, while he chooses one of several accounts
  person jsonb,
  expires_at timestamptz NOT NULL
);
CREATE INDEX external_state_age ON identity.external_state (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.external_state TO erp_app;

-- Single sign-on: people log in here with the accounts of a provider

-- Whose people an e-mail domain stands for: who comes from the provider with such an address belongs to this company.
-- The operator of the product enters them, or any company could claim the people of any domain.
CREATE TABLE identity.sso_domain (
  company_id uuid NOT NULL REFERENCES identity.company,
  id uuid NOT NULL DEFAULT uuidv7(),
  domain text NOT NULL CHECK (domain = lower(domain)),
  -- what somebody gets who comes for the first time; nothing: he may enter and sees nothing
  role_id uuid,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, role_id) REFERENCES identity.role ON DELETE SET NULL (role_id)
);
CREATE UNIQUE INDEX sso_domain_domain ON identity.sso_domain (domain);
CALL kit.tenant_table('identity.sso_domain', open_to_system => true);

-- What has to be known of the provider's own session to end it, or to be told that it ended.
CREATE TABLE identity.sso_session (
  company_id uuid NOT NULL,
  session_id uuid NOT NULL,
  issuer text NOT NULL,
  sub text NOT NULL,
  sid text,
  -- of the cookie of the browser that logged in
  holder_hash text NOT NULL,
  id_token_sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, session_id),
  FOREIGN KEY (company_id, session_id) REFERENCES identity.session ON DELETE CASCADE
);
CREATE INDEX sso_session_person ON identity.sso_session (issuer, sub);
CREATE INDEX sso_session_holder ON identity.sso_session (holder_hash);
CALL kit.tenant_table('identity.sso_session', open_to_system => true);

-- Between leaving for the provider and coming back. Losing it in a crash costs one more click.
CREATE UNLOGGED TABLE identity.sso_flow (
  state_hash text PRIMARY KEY,
  holder_hash text NOT NULL,
  -- nonce and code verifier, sealed with a key outside the database
  sealed text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sso_flow_age ON identity.sso_flow (expires_at);
GRANT SELECT, INSERT, DELETE ON identity.sso_flow TO erp_app;

-- OAuth: other systems log people in with their accounts here

-- Programs that may ask for a log-in of this product. Only a hash of the secret is kept. Everything stands on a person's
-- log-in: there is nothing that a program could do here by itself, or after its user has gone.
CREATE TABLE identity.oauth_client (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  client_id text NOT NULL,
  name text NOT NULL,
  secret_hash text NOT NULL,
  scopes text[] NOT NULL DEFAULT '{openid}'
    CONSTRAINT oauth_client_scopes CHECK ('openid' = ANY (scopes) AND scopes <@ '{openid,profile,email,phone}'),
  grants text[] NOT NULL DEFAULT '{authorization_code}' CONSTRAINT oauth_client_grants CHECK (
    'authorization_code' = ANY (grants) AND grants <@ '{authorization_code,refresh_token}'),
  token_seconds int NOT NULL DEFAULT 7200 CHECK (token_seconds BETWEEN 60 AND 86400),
  redirect_uris text[] NOT NULL DEFAULT '{}',
  auto_approve boolean NOT NULL DEFAULT false,
  is_disabled boolean NOT NULL DEFAULT false,
  secret_changed_at timestamptz NOT NULL DEFAULT kit.now(),
  last_used_at timestamptz,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, client_id)
);
CALL kit.tenant_table('identity.oauth_client', open_to_system => true);

-- What a person let a client know of him, in one of his sessions. It holds as long as the session does.
CREATE TABLE identity.oauth_grant (
  company_id uuid NOT NULL,
  id_hash text NOT NULL,
  member_id uuid NOT NULL,
  session_id uuid NOT NULL,
  -- identity.oauth_client.id: a client of the same name that is entered later is another one
  client_ref uuid NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, id_hash),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member,
  FOREIGN KEY (company_id, session_id) REFERENCES identity.session ON DELETE CASCADE
);
CREATE INDEX oauth_grant_id ON identity.oauth_grant (id_hash);
CREATE INDEX oauth_grant_session ON identity.oauth_grant (company_id, session_id);
CREATE INDEX oauth_grant_age ON identity.oauth_grant (expires_at);
CALL kit.tenant_table('identity.oauth_grant', open_to_system => true);

-- Codes and tokens of a grant, and log-ins under way: nobody is known for these yet, so they are rows of the company
-- that stands for none (all zeros). Only hashes of what a client or browser shows, the rest sealed.
CREATE TABLE identity.oauth_record (
  company_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken')),
  id_hash text NOT NULL,
  grant_hash text,
  sealed text NOT NULL,
  consumed_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, kind, id_hash),
  FOREIGN KEY (company_id, grant_hash) REFERENCES identity.oauth_grant ON DELETE CASCADE
);
CREATE INDEX oauth_record_id ON identity.oauth_record (id_hash);
CREATE INDEX oauth_record_grant ON identity.oauth_record (company_id, grant_hash);
CREATE INDEX oauth_record_age ON identity.oauth_record (expires_at);
CALL kit.tenant_table('identity.oauth_record', open_to_system => true);

-- The private key that id tokens are signed with, sealed; rows of the company of all zeros.
CREATE TABLE identity.oauth_key (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('identity.oauth_key', open_to_system => true);
