-- 合同条款模板: clauses that contracts of purchase begin with. A paragraph of the body is a clause, a name in braces a value of the order.
CREATE TABLE purchase.clause_template (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50 AND name = btrim(name)),
  body text NOT NULL CHECK (length(body) BETWEEN 1 AND 20000),
  -- what {违约金比例} stands for, a share; null: no clause asks for it
  penalty numeric(5, 4) CHECK (penalty BETWEEN 0 AND 1),
  version int NOT NULL DEFAULT 0,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX clause_template_name ON purchase.clause_template (company_id, lower(name));
CALL kit.tenant_table('purchase.clause_template');

-- Which template orders of a type begin with: one each.
CREATE TABLE purchase.clause_default (
  company_id uuid NOT NULL,
  order_type text NOT NULL CHECK (order_type IN ('GOODS', 'CONSUMABLE', 'SAMPLE')),
  template_id uuid NOT NULL,
  PRIMARY KEY (company_id, order_type),
  FOREIGN KEY (company_id, template_id) REFERENCES purchase.clause_template ON DELETE CASCADE
);
CREATE INDEX clause_default_template ON purchase.clause_default (company_id, template_id);
CALL kit.tenant_table('purchase.clause_default');

-- What an order took of its template: its own from then on, whatever becomes of the template.
ALTER TABLE purchase.purchase_order
  ADD COLUMN clauses text[] NOT NULL DEFAULT '{}' CHECK (cardinality(clauses) <= 40),
  ADD COLUMN clause_template_id uuid,
  ADD COLUMN clause_template text NOT NULL DEFAULT '',
  ADD COLUMN clause_penalty numeric(5, 4) CHECK (clause_penalty BETWEEN 0 AND 1);
