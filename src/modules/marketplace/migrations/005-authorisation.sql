-- A consent may be for a seller's account or for its advertising.
ALTER TABLE marketplace.oauth_state
  ADD COLUMN kind text NOT NULL DEFAULT 'seller' CHECK (kind IN ('seller', 'ads'));

-- A seller may bring an application of his own (its secret is sealed like the tokens), and a proxy that belongs to the
-- store's usual network.
ALTER TABLE marketplace.seller_account
  ADD COLUMN own_client_id text,
  ADD COLUMN own_client_secret_sealed text,
  ADD COLUMN proxy_url text,
  ADD COLUMN network_note text NOT NULL DEFAULT '',
  -- since when the account is stopped: it may be deleted thirty days later
  ADD COLUMN disabled_at timestamptz,
  ADD CONSTRAINT seller_account_own CHECK ((own_client_id IS NULL) = (own_client_secret_sealed IS NULL));
UPDATE marketplace.seller_account SET disabled_at = kit.now() WHERE status = 'disabled';
-- A seller works for one company only, whichever application he consented to.
DROP INDEX marketplace.seller_account_owner;
CREATE UNIQUE INDEX seller_account_owner ON marketplace.seller_account (region, selling_partner_id)
  WHERE status NOT IN ('disabled', 'deleted', 'manual');
CREATE INDEX seller_account_expiry ON marketplace.seller_account (expires_at)
  WHERE status IN ('active', 'expiring', 'suspended');

-- What papers of a store need.
ALTER TABLE marketplace.store
  ADD COLUMN company_name text NOT NULL DEFAULT '',
  ADD COLUMN tax_number text NOT NULL DEFAULT '',
  ADD COLUMN customs_number text NOT NULL DEFAULT '',
  ADD COLUMN network_note text NOT NULL DEFAULT '';

-- A consent to the advertising of one region, given for a store.
CREATE TABLE marketplace.ads_connection (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  store_id uuid NOT NULL,
  region text NOT NULL CHECK (region IN ('na', 'eu', 'fe')),
  client_id text NOT NULL,
  refresh_token_sealed text NOT NULL,
  access_token_sealed text,
  access_expires_at timestamptz,
  authorized_at timestamptz NOT NULL DEFAULT kit.now(),
  captured_at timestamptz,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'revoked', 'disabled')),
  last_auth_error text,
  -- first refusal of the grant; it counts as lost only when refused again a minute later
  auth_failed_at timestamptz,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, store_id, region),
  FOREIGN KEY (company_id, store_id) REFERENCES marketplace.store
);
CALL kit.tenant_table('marketplace.ads_connection', open_to_system => true);

-- An advertiser in one marketplace, as the consent showed it.
CREATE TABLE marketplace.ads_profile (
  company_id uuid NOT NULL,
  profile_id bigint NOT NULL,
  connection_id uuid NOT NULL,
  -- of the connection; data rights hold by it
  store_id uuid NOT NULL,
  -- the seller account of the same company that it advertises for, where that is known
  account_id uuid,
  marketplace_id text NOT NULL,
  country_code text NOT NULL,
  currency text NOT NULL,
  time_zone text NOT NULL,
  account_type text NOT NULL,
  account_name text NOT NULL DEFAULT '',
  -- the advertiser's own number; for sellers their seller id
  advertiser_id text NOT NULL,
  daily_budget numeric(18, 4),
  valid_payment boolean,
  -- whether this company works with it: its connection stands, and the last look still showed it
  active boolean NOT NULL DEFAULT true,
  captured_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, profile_id),
  FOREIGN KEY (company_id, connection_id) REFERENCES marketplace.ads_connection,
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
-- A profile works for one company only.
CREATE UNIQUE INDEX ads_profile_owner ON marketplace.ads_profile (profile_id) WHERE active;
CREATE INDEX ads_profile_connection ON marketplace.ads_profile (company_id, connection_id);
CREATE INDEX ads_profile_account ON marketplace.ads_profile (company_id, account_id);
CALL kit.tenant_table('marketplace.ads_profile', open_to_system => true);

-- While the marketplace has restricted an account, only some of its streams go on.
ALTER TABLE marketplace.sync_cursor
  DROP CONSTRAINT sync_cursor_state_check,
  ADD CONSTRAINT sync_cursor_state_check
    CHECK (state IN ('ready', 'paused', 'blocked_auth', 'blocked_role', 'suspended', 'dead'));
