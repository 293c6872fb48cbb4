-- Large files that were taken over whole, for as long as nothing else has been told about their days: the same bytes again
-- then change nothing and need not be read.
CREATE TABLE marketplace.taken_file (
  company_id uuid NOT NULL,
  -- among which files this one counts: those that could tell something else about the same
  place text NOT NULL,
  sha256 text NOT NULL,
  account_id uuid NOT NULL,
  -- everything else that its reading depended on
  terms text NOT NULL,
  -- business days that its rows are of
  first_day date NOT NULL,
  last_day date NOT NULL,
  -- lines of the file, and what they made: rows of a table, or orders
  rows int NOT NULL,
  facts int NOT NULL,
  PRIMARY KEY (company_id, place, sha256),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CALL kit.tenant_table('marketplace.taken_file');
