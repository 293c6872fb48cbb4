-- How a company handles its money.
CREATE TABLE finance.setting (
  company_id uuid PRIMARY KEY,
  -- who approved a request does not pay it, unless nobody else could
  separate_payer boolean NOT NULL DEFAULT true
);
CALL kit.tenant_table('finance.setting');

-- Who approved a request, so that the payer can be told apart from him; null for those that were approved before, or by a flow.
ALTER TABLE finance.payment_request ADD COLUMN approved_by uuid;
