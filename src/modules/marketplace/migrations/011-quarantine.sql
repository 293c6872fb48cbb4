-- What could not be taken over: a line of a report, or one thing that an API told. The rest of its delivery went on.
CREATE TABLE marketplace.quarantine_row (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  -- report type, or code of the stream
  kind text NOT NULL,
  -- the report's document and the physical line in it; null for what came by API
  document_id uuid,
  line_no int,
  -- what an API calls it, e.g. the order number; '' for lines of a report
  item_key text NOT NULL DEFAULT '',
  reason text NOT NULL,
  -- a line: {"headers": [...], "cells": [...], "delimiter": "\t", "charset": "utf-8"}; else the answer as it came
  raw jsonb,
  -- the line's cells as a person put them right; they stand in for the original whenever the document is read
  corrected text[],
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'fixed', 'ignored')),
  note text,
  first_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  last_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  settled_at timestamptz,
  settled_by_name text,
  PRIMARY KEY (company_id, id),
  UNIQUE NULLS NOT DISTINCT (company_id, account_id, kind, document_id, line_no, item_key),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, document_id) REFERENCES marketplace.report_document
);
CREATE INDEX quarantine_row_open ON marketplace.quarantine_row (company_id, account_id, kind) WHERE state = 'open';
CREATE INDEX quarantine_row_document ON marketplace.quarantine_row (company_id, document_id);
CALL kit.tenant_table('marketplace.quarantine_row');
CALL kit.data_scope('marketplace.quarantine_row', 'account', 'account_id');
