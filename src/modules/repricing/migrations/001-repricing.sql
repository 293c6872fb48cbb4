CALL kit.module_schema('repricing');

-- How prices of some listings follow those of rivals, and where they stop.
CREATE TABLE repricing.rule (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  status text NOT NULL DEFAULT 'DRAFT' CHECK (status IN ('DRAFT', 'SHADOW', 'ACTIVE', 'PAUSED', 'ARCHIVED')),
  -- strategy, filters and limits, as the contract describes them
  settings jsonb NOT NULL,
  -- since when it has decided without sending: it may send a day later
  shadow_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  version int NOT NULL DEFAULT 1,
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX rule_name ON repricing.rule (company_id, name) WHERE status <> 'ARCHIVED';
CALL kit.tenant_table('repricing.rule', open_to_system => true);

-- A listing under a rule; under one at a time. Prices in the currency of its marketplace.
CREATE TABLE repricing.binding (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  rule_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  min_price numeric(18, 4) NOT NULL CHECK (min_price > 0),
  max_price numeric(18, 4) NOT NULL,
  -- what a piece costs beside its purchase price and Amazon's fulfilment fee: freight, storage, returns
  other_cost numeric(18, 4) NOT NULL DEFAULT 0 CHECK (other_cost >= 0),
  -- why it stands still, NULL where it does not
  pause_code text CHECK (pause_code IN ('person', 'undo', 'busy', 'unconfirmed', 'range', 'cost', 'stale', 'gone')),
  pause_words text NOT NULL DEFAULT '',
  paused_at timestamptz,
  -- changes before that do not count against it: somebody let it go on
  counts_from timestamptz NOT NULL DEFAULT kit.now(),
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, listing_id),
  CONSTRAINT binding_range CHECK (max_price >= min_price),
  FOREIGN KEY (company_id, rule_id) REFERENCES repricing.rule,
  -- no key to the listing: one that came by an upload which is undone goes
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX binding_rule ON repricing.binding (company_id, rule_id, id);
CREATE INDEX binding_site ON repricing.binding (company_id, account_id, marketplace_id);
CALL kit.tenant_table('repricing.binding');

-- What was decided for a listing, from what, and why. Says what was known then, whatever becomes of rule and listing.
CREATE TABLE repricing.run (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  rule_id uuid NOT NULL,
  rule_name text NOT NULL,
  binding_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  currency text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  -- sent: in the price queue; would: a rule on trial; kept: nothing to change; paused: the listing stands still from now on
  outcome text NOT NULL CHECK (outcome IN ('sent', 'would', 'kept', 'paused')),
  old_price numeric(18, 4),
  target numeric(18, 4),
  new_price numeric(18, 4),
  floor numeric(18, 4),
  at_floor boolean NOT NULL DEFAULT false,
  words text NOT NULL,
  -- offers, limits, costs
  inputs jsonb NOT NULL,
  -- the change in the price queue, and how it ended
  change_id uuid,
  settled text CHECK (settled IN ('confirmed', 'unconfirmed', 'refused', 'cancelled')),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, rule_id) REFERENCES repricing.rule,
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX run_list ON repricing.run (company_id, at DESC, id DESC);
CREATE INDEX run_binding ON repricing.run (company_id, binding_id, at DESC);
CREATE INDEX run_rule ON repricing.run (company_id, rule_id, at DESC);
CREATE INDEX run_change ON repricing.run (company_id, change_id) WHERE change_id IS NOT NULL;
CALL kit.tenant_table('repricing.run');
