CALL kit.module_schema('settlement');

-- Where money lines come from: a settlement file or a transaction of the finances API. A line counts while its
-- document is ACTIVE; nothing is ever changed in or removed from the lines themselves.
CREATE TABLE settlement.source_doc (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('SETTLEMENT', 'TRANSACTION')),
  -- settlement id or transaction id
  external_id text NOT NULL,
  version int NOT NULL DEFAULT 1,
  state text NOT NULL DEFAULT 'ACTIVE' CHECK (state IN ('ACTIVE', 'SUPERSEDED', 'QUARANTINED')),
  -- NEW_VERSION, RELEASED (the release is known), SETTLED (the settlement file is loaded)
  superseded_why text,
  superseded_by uuid,
  superseded_at timestamptz,
  marketplace_id text,
  currency text NOT NULL,
  total numeric(18, 4) NOT NULL,
  content_hash text NOT NULL,
  -- transactions only
  status text,
  transaction_type text,
  posted_at timestamptz,
  settlement_id text,
  event_group_id text,
  order_id text,
  shipment_id text,
  deferred_id text,
  release_id text,
  matures_at timestamptz,
  -- QUARANTINED only: what came, and what is wrong with it
  problem text,
  raw jsonb,
  loaded_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, kind, external_id, version),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
-- Transactions that no settlement file covers yet: at most the money of a few weeks.
CREATE INDEX source_doc_open ON settlement.source_doc (company_id, account_id, posted_at)
  WHERE kind = 'TRANSACTION' AND state = 'ACTIVE';
CREATE INDEX source_doc_release ON settlement.source_doc (company_id, account_id, deferred_id) WHERE deferred_id IS NOT NULL;
CREATE INDEX source_doc_group ON settlement.source_doc (company_id, account_id, event_group_id, settlement_id)
  WHERE settlement_id IS NOT NULL AND event_group_id IS NOT NULL;
CALL kit.tenant_table('settlement.source_doc');

-- One version of a settlement; `id` is that of its source document.
CREATE TABLE settlement.settlement (
  company_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  settlement_id text NOT NULL,
  version int NOT NULL,
  form text NOT NULL CHECK (form IN ('v1', 'v2')),
  -- home store: lines that name no marketplace belong to it
  marketplace_id text NOT NULL,
  currency text NOT NULL,
  start_at timestamptz,
  end_at timestamptz NOT NULL,
  deposit_at timestamptz,
  total_amount numeric(18, 4) NOT NULL,
  line_sum numeric(18, 4) NOT NULL,
  line_count int NOT NULL,
  order_count int NOT NULL,
  unmapped_count int NOT NULL,
  state text NOT NULL DEFAULT 'balanced' CHECK (state IN ('balanced')),
  -- row of marketplace.report_document: the file as it came
  document_id uuid,
  file_name text NOT NULL,
  sha256 text NOT NULL,
  superseded_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  CHECK (line_sum = total_amount),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, settlement_id, version),
  FOREIGN KEY (company_id, id) REFERENCES settlement.source_doc
);
CREATE UNIQUE INDEX settlement_current ON settlement.settlement (company_id, account_id, settlement_id) WHERE superseded_at IS NULL;
CREATE INDEX settlement_list ON settlement.settlement (company_id, end_at DESC, id) WHERE superseded_at IS NULL;
CALL kit.tenant_table('settlement.settlement');

-- The one ledger of what Amazon pays and charges. Signs are the seller's: plus is money to the seller.
-- No foreign key to the document: lines are written in the transaction that writes their document and can never be
-- removed, and a million single checks would cost more than the load itself.
CREATE TABLE settlement.money_line (
  company_id uuid NOT NULL,
  source_doc_id uuid NOT NULL,
  -- physical line of the file, or ordinal of the leaf
  line_no int NOT NULL,
  -- amounts of one physical line: 1, 2 …
  part smallint NOT NULL DEFAULT 1,
  account_id uuid NOT NULL,
  source text NOT NULL CHECK (source IN ('SETTLEMENT', 'TRANSACTION')),
  stage text NOT NULL CHECK (stage IN ('DEFERRED', 'RELEASED', 'SETTLED')),
  marketplace_id text NOT NULL,
  -- how the marketplace was found: FILE, ORDER (other line of the order), HOME
  marketplace_from text NOT NULL,
  transaction_type text NOT NULL,
  amount_type text NOT NULL,
  amount_description text NOT NULL,
  fee_code text NOT NULL,
  pl_section text NOT NULL,
  mapping_version smallint NOT NULL,
  -- only where the reference is an Amazon order
  order_id text,
  ref_kind text CHECK (ref_kind IN ('ORDER', 'MCF', 'SHIPMENT', 'OTHER')),
  ref_value text,
  order_item_code text,
  adjustment_id text,
  shipment_id text,
  fulfillment_id text,
  -- '' for money of the whole store
  sku text NOT NULL,
  sku_from text NOT NULL,
  quantity int,
  promotion_id text,
  amount numeric(18, 4) NOT NULL,
  currency text NOT NULL,
  posted_at timestamptz NOT NULL,
  -- day in the zone of the marketplace
  posted_date date NOT NULL,
  PRIMARY KEY (company_id, source_doc_id, line_no, part)
);
CREATE INDEX money_line_day ON settlement.money_line (company_id, account_id, marketplace_id, posted_date, sku);
CREATE INDEX money_line_order ON settlement.money_line (company_id, order_id) WHERE order_id IS NOT NULL;
CALL kit.tenant_table('settlement.money_line', append_only => true);

-- Sums of a settlement by kind of amount: the tree of its detail and every card above it.
CREATE TABLE settlement.fee_total (
  company_id uuid NOT NULL,
  source_doc_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  transaction_type text NOT NULL,
  amount_type text NOT NULL,
  amount_description text NOT NULL,
  fee_code text NOT NULL,
  pl_section text NOT NULL,
  -- money of the whole store, without a SKU
  shop boolean NOT NULL,
  amount numeric(18, 4) NOT NULL,
  quantity bigint NOT NULL,
  line_count int NOT NULL,
  PRIMARY KEY (company_id, source_doc_id, marketplace_id, transaction_type, amount_type, amount_description, fee_code, shop)
);
CALL kit.tenant_table('settlement.fee_total', append_only => true);
-- Data rights of members who may see some stores only: a sum has those of its document.
CALL kit.data_scope_of('settlement.fee_total', 'settlement.source_doc', '{source_doc_id}', '{id}');
