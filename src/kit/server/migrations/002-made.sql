-- What is made for a company once and for all, by name, such as the parts of the demo.
CREATE TABLE kit.made (
  company_id uuid NOT NULL,
  name text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, name)
);
CALL kit.tenant_table('kit.made');
