-- What Amazon says of the money of a period of an account (a group of financial events), and what the books say of the
-- same. Amazon's part is written by the reading, ours by the reconciliation; a difference is a row to look into.
CREATE TABLE settlement.event_group (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  group_id text NOT NULL,
  -- Amazon does not say it: found by the currency, by the group's transactions or by its settlement
  marketplace_id text,
  currency text NOT NULL,
  processing text NOT NULL CHECK (processing IN ('open', 'closed')),
  start_at timestamptz,
  end_at timestamptz,
  beginning numeric(18, 4),
  -- closed: what was paid out, or charged where negative; open: the balance when it was read. At times Amazon leaves it out
  total numeric(18, 4),
  transfer_status text,
  transfer_at timestamptz,
  converted numeric(18, 4),
  converted_currency text,
  trace_id text,
  account_tail text,
  -- the marketplace's time at the reading
  read_at timestamptz NOT NULL,
  -- closed: the settlement that it became
  settlement_doc uuid,
  -- closed: sum of the settlement's lines; open: sum of the released transactions until read_at
  ours numeric(18, 4),
  difference numeric(18, 4) GENERATED ALWAYS AS (total - ours) STORED,
  -- open: what is deferred in the same store, which is part of neither sum
  deferred numeric(18, 4),
  verdict text NOT NULL DEFAULT 'ongoing' CHECK (verdict IN ('agreed', 'differs', 'ongoing')),
  reason text,
  checked_at timestamptz,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, group_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, settlement_doc) REFERENCES settlement.settlement
);
CREATE INDEX event_group_list ON settlement.event_group (company_id, start_at DESC, id);
CREATE INDEX event_group_settlement ON settlement.event_group (company_id, settlement_doc) WHERE settlement_doc IS NOT NULL;
CALL kit.tenant_table('settlement.event_group');

-- Transactions of a group that count: the balance of an open one.
CREATE INDEX source_doc_in_group ON settlement.source_doc (company_id, account_id, event_group_id)
  WHERE kind = 'TRANSACTION' AND state = 'ACTIVE' AND event_group_id IS NOT NULL;
