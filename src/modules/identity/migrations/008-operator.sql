-- What the operator of the product sells to a company; a limit that is not named does not hold.
ALTER TABLE identity.company
  ADD COLUMN plan_name text,
  ADD COLUMN plan_limits jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN remark text;

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

-- Programs that may ask for a log-in of this product. Only a hash of the secret is kept.
CREATE TABLE identity.oauth_client (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  client_id text NOT NULL,
  name text NOT NULL,
  secret_hash text NOT NULL,
  scopes text[] NOT NULL DEFAULT '{}',
  grants text[] NOT NULL DEFAULT '{}',
  token_seconds int NOT NULL DEFAULT 7200 CHECK (token_seconds BETWEEN 60 AND 86400),
  redirect_uris text[] NOT NULL DEFAULT '{}',
  auto_approve boolean NOT NULL DEFAULT false,
  is_disabled boolean NOT NULL DEFAULT false,
  secret_changed_at timestamptz NOT NULL DEFAULT kit.now(),
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, client_id)
);
CALL kit.tenant_table('identity.oauth_client', open_to_system => true);
