-- A session whose id travelled in an address belongs to one browser and for a minute only, until its first use.
ALTER TABLE identity.session
  -- of the browser's cookie and name; nothing once the session has been taken up
  ADD COLUMN claim_hash text,
  ADD COLUMN claim_until timestamptz;

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

-- One person of a provider is one member.
CREATE UNIQUE INDEX external_identity_oidc ON identity.external_identity (union_id) WHERE provider = 'oidc';

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
