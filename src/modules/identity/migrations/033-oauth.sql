-- Other systems log people in with their accounts here. Everything stands on a person's log-in: there is nothing that a
-- program could do here by itself, or after its user has gone.
UPDATE identity.oauth_client SET
  is_disabled = is_disabled OR NOT 'authorization_code' = ANY (grants) OR redirect_uris = '{}',
  grants = CASE WHEN 'refresh_token' = ANY (grants) THEN '{authorization_code,refresh_token}'
                ELSE '{authorization_code}' END::text[],
  scopes = ARRAY['openid'] || array_remove(array_remove(scopes, 'openid'), 'offline_access');
ALTER TABLE identity.oauth_client
  ALTER COLUMN grants SET DEFAULT '{authorization_code}',
  ALTER COLUMN scopes SET DEFAULT '{openid}',
  ADD COLUMN last_used_at timestamptz,
  ADD CONSTRAINT oauth_client_grants CHECK (
    'authorization_code' = ANY (grants) AND grants <@ '{authorization_code,refresh_token}'),
  ADD CONSTRAINT oauth_client_scopes CHECK ('openid' = ANY (scopes) AND scopes <@ '{openid,profile,email,phone}');

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
