-- 货件: shipments as the marketplace has them, whoever made them.
CREATE TABLE shipping.fba_shipment (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- FBA…
  shipment_no text NOT NULL,
  name text NOT NULL DEFAULT '',
  -- fulfilment centre that it goes to
  center text NOT NULL DEFAULT '',
  -- the marketplace's own word
  status text NOT NULL,
  shipped int NOT NULL DEFAULT 0,
  received int NOT NULL DEFAULT 0,
  -- somebody said that it is no concern of ours
  ignored boolean NOT NULL DEFAULT false,
  first_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  -- when its status or numbers last were others than before
  changed_at timestamptz NOT NULL DEFAULT kit.now(),
  -- when it was last looked at
  read_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, shipment_no),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX fba_shipment_list ON shipping.fba_shipment (company_id, changed_at DESC, id);
CREATE INDEX fba_shipment_status ON shipping.fba_shipment (company_id, account_id, status);
CALL kit.tenant_table('shipping.fba_shipment');
CALL kit.data_scope('shipping.fba_shipment', 'account', 'account_id');

CREATE TABLE shipping.fba_shipment_item (
  company_id uuid NOT NULL,
  shipment_id uuid NOT NULL,
  msku text NOT NULL,
  fnsku text,
  shipped int NOT NULL CHECK (shipped >= 0),
  received int NOT NULL CHECK (received >= 0),
  PRIMARY KEY (company_id, shipment_id, msku),
  FOREIGN KEY (company_id, shipment_id) REFERENCES shipping.fba_shipment ON DELETE CASCADE
);
CALL kit.tenant_table('shipping.fba_shipment_item');
CALL kit.data_scope_of('shipping.fba_shipment_item', 'shipping.fba_shipment', '{shipment_id}', '{id}');

CREATE INDEX ship_order_shipment ON shipping.ship_order (company_id, account_id, shipment_no) WHERE shipment_no <> '';
