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
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.security_policy
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

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

-- By which channels somebody wants to hear of an event; where no row is, the event's own default holds.
CREATE TABLE identity.channel_preference (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  event text NOT NULL,
  channel text NOT NULL CHECK (channel IN ('site', 'email', 'wechat', 'feishu', 'dingtalk')),
  wanted boolean NOT NULL,
  PRIMARY KEY (company_id, member_id, event, channel),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CALL kit.tenant_table('identity.channel_preference');

-- E-mail addresses count for messages and log-in help only once a code proved them.
ALTER TABLE identity.member ADD COLUMN email_verified boolean NOT NULL DEFAULT false;
