-- What a seller account is told about, as the marketplace confirmed it.
CREATE TABLE marketplace.subscription (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  type text NOT NULL,
  subscription_id text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, type),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('marketplace.subscription');
CALL kit.data_scope('marketplace.subscription', 'account', 'account_id');

-- What came, for two weeks. The marketplace's own number of it makes a second delivery known.
CREATE TABLE marketplace.notification (
  company_id uuid NOT NULL,
  notification_id text NOT NULL,
  account_id uuid NOT NULL,
  type text NOT NULL,
  event_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT kit.now(),
  state text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'done', 'idle', 'failed')),
  -- how often it was delivered
  deliveries int NOT NULL DEFAULT 1,
  -- what it is about, e.g. an order or report number
  subject text NOT NULL,
  -- what followed from it, or why nothing could
  outcome text,
  payload jsonb NOT NULL,
  PRIMARY KEY (company_id, notification_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX notification_list ON marketplace.notification (company_id, received_at DESC);
CREATE INDEX notification_old ON marketplace.notification USING brin (received_at);
CALL kit.tenant_table('marketplace.notification', open_to_system => true);
CALL kit.data_scope('marketplace.notification', 'account', 'account_id');
