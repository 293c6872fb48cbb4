-- Labels that are bought for parcels of our own. Each purchase is a row that stands before the call leaves; of one document
-- one purchase at most is alive.
CREATE TABLE shipping.self_label (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  doc_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- who sells it, e.g. "amazon"
  seller text NOT NULL,
  state text NOT NULL DEFAULT 'asking'
    CHECK (state IN ('asking', 'bought', 'failed', 'unknown', 'voiding', 'voided')),
  -- why it failed, is not known or could not be called back, in Chinese
  problem text NOT NULL DEFAULT '' CHECK (length(problem) <= 500),
  service_id text NOT NULL,
  service text NOT NULL,
  carrier text NOT NULL,
  format text NOT NULL CHECK (format IN ('PDF', 'ZPL')),
  -- what was offered, and what was taken for it
  offered numeric(18, 4) NOT NULL CHECK (offered >= 0),
  charged numeric(18, 4) CHECK (charged >= 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- when the carrier means to be there, at the latest
  arrives_at timestamptz,
  -- the marketplace's clock when it was asked for
  asked_there timestamptz NOT NULL,
  write_id uuid,
  void_write_id uuid,
  -- the seller's number of it; null where only its tracking number is known
  shipment_no text,
  tracking_no text NOT NULL DEFAULT '',
  file_id uuid,
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  settled_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, doc_id) REFERENCES shipping.self_doc
);
CREATE UNIQUE INDEX self_label_alive ON shipping.self_label (company_id, doc_id)
  WHERE state IN ('asking', 'unknown', 'bought', 'voiding');
CREATE INDEX self_label_doc ON shipping.self_label (company_id, doc_id, id DESC);
CREATE INDEX self_label_write ON shipping.self_label (company_id, write_id);
CREATE INDEX self_label_void ON shipping.self_label (company_id, void_write_id) WHERE void_write_id IS NOT NULL;
CALL kit.tenant_table('shipping.self_label');
CALL kit.data_scope_of('shipping.self_label', 'shipping.self_doc', '{doc_id}', '{id}');

-- The state of its newest label, for lists.
ALTER TABLE shipping.self_doc ADD COLUMN label_state text NOT NULL DEFAULT 'none'
  CHECK (label_state IN ('none', 'asking', 'bought', 'failed', 'unknown', 'voiding', 'voided'));
CREATE INDEX self_doc_label ON shipping.self_doc (company_id, label_state, id DESC) WHERE label_state <> 'none';
