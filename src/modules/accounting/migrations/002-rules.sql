-- Vouchers are made from events of the business: `source_ref` names the event, or the day or month whose events they put
-- together, `source_month` is the month of these events, and `source_digest` what they said when the voucher was made.
ALTER TABLE accounting.voucher ADD COLUMN source_month date CHECK (source_month = date_trunc('month', source_month)::date);
ALTER TABLE accounting.voucher ADD COLUMN source_digest text NOT NULL DEFAULT '';
-- A person changed the draft since it was made: no rule writes it anew.
ALTER TABLE accounting.voucher ADD COLUMN source_edited boolean NOT NULL DEFAULT false;
UPDATE accounting.voucher SET source_month = month WHERE source = 'settlement' AND source_ref <> '';
CREATE INDEX voucher_source ON accounting.voucher (company_id, source, source_month) WHERE source_ref <> '';

-- How the events of a source become vouchers: a version for each change, kept for good. `subjects` says on which subject a part
-- or a variant of it stands ("PART" or "PART:variant" to a code); what it does not say stands where the source puts it.
CREATE TABLE accounting.rule (
  company_id uuid NOT NULL,
  source text NOT NULL,
  version int NOT NULL CHECK (version > 0),
  from_month date NOT NULL CHECK (from_month = date_trunc('month', from_month)::date),
  active boolean NOT NULL,
  grouping text NOT NULL CHECK (grouping IN ('DOCUMENT', 'DAY', 'MONTH')),
  subjects jsonb NOT NULL CHECK (jsonb_typeof(subjects) = 'object'),
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, source, version)
);
CALL kit.tenant_table('accounting.rule', append_only => true);

-- The events that a voucher was made from.
CREATE TABLE accounting.voucher_fact (
  company_id uuid NOT NULL,
  voucher_id uuid NOT NULL,
  fact_no int NOT NULL,
  ref text NOT NULL,
  number text NOT NULL,
  path text NOT NULL DEFAULT '',
  -- debits of the event in CNY
  amount numeric(18, 2) NOT NULL,
  PRIMARY KEY (company_id, voucher_id, fact_no),
  FOREIGN KEY (company_id, voucher_id) REFERENCES accounting.voucher
);
CALL kit.tenant_table('accounting.voucher_fact');
REVOKE UPDATE ON accounting.voucher_fact FROM erp_app;

-- What stands on subjects in other currencies, read at the end of each month.
CREATE INDEX entry_foreign ON accounting.entry (company_id, ledger_day, subject_id, currency) WHERE currency <> 'CNY';
