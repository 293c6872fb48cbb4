CALL kit.module_schema('dashboard');

-- How a member arranged his home page.
CREATE TABLE dashboard.layout (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  -- counts saves, and goes on counting where he went back to what everybody has: an older window must not win
  version int NOT NULL,
  -- cards with their places, sizes and filters; NULL: the template of his role, or else the product's own
  cards jsonb,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, member_id)
);
CALL kit.tenant_table('dashboard.layout');

-- What members of a role begin with.
CREATE TABLE dashboard.template (
  company_id uuid NOT NULL,
  role_id uuid NOT NULL,
  cards jsonb NOT NULL,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, role_id)
);
CALL kit.tenant_table('dashboard.template');
