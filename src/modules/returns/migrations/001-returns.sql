CALL kit.module_schema('returns');

-- Whose fault a return was, as somebody judged it. The key is that of the report's row, which a report that is read again
-- gives the same row, so the judgement outlives it.
CREATE TABLE returns.attribution (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  channel text NOT NULL CHECK (channel IN ('FBA', 'FBM')),
  day date NOT NULL,
  row_id uuid NOT NULL,
  party text NOT NULL CHECK (party IN ('product', 'logistics', 'amazon', 'buyer')),
  note text NOT NULL,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id, channel, day, row_id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('returns.attribution');
