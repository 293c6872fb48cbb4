-- A package that somebody of the company reported as sent. The order itself follows the marketplace's own word: a package is
-- confirmed once the order shows it. No foreign key to the order, whose rows an undone upload may take away and bring back.
CREATE TABLE "order".shipment (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  selling_partner_id text NOT NULL,
  amazon_order_id text NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- tells packages of an order apart at the marketplace, where a second confirmation of the same number replaces the first:
  -- seconds of the time of its planning, which no package of somebody else's has
  reference bigint NOT NULL CHECK (reference > 0),
  carrier_code text NOT NULL,
  carrier_name text,
  shipping_method text,
  tracking_number text NOT NULL,
  shipped_at timestamptz NOT NULL,
  -- [{"orderItemId", "quantity"}]
  items jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'accepted', 'confirmed', 'refused', 'unknown', 'cancelled')),
  problem text,
  write_id uuid NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  accepted_at timestamptz,
  confirmed_at timestamptz,
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX shipment_reference ON "order".shipment (company_id, selling_partner_id, amazon_order_id, reference);
CREATE INDEX shipment_write ON "order".shipment (company_id, write_id);
-- What the marketplace has yet to show.
CREATE INDEX shipment_open ON "order".shipment (company_id, account_id) WHERE state IN ('accepted', 'unknown');
CALL kit.tenant_table('"order".shipment');

-- That the buyer of an order was asked for a review: Amazon lets it be done once.
CREATE TABLE "order".solicitation (
  company_id uuid NOT NULL,
  selling_partner_id text NOT NULL,
  amazon_order_id text NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'done', 'refused', 'unknown', 'cancelled')),
  problem text,
  write_id uuid NOT NULL,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  finished_at timestamptz,
  PRIMARY KEY (company_id, selling_partner_id, amazon_order_id)
);
CREATE INDEX solicitation_write ON "order".solicitation (company_id, write_id);
CALL kit.tenant_table('"order".solicitation');
