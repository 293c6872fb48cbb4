-- Dimensions on which the company's data rights are switched on; on any other, everybody reaches everything.
ALTER TABLE identity.company ADD COLUMN scope_dimensions text[] NOT NULL DEFAULT '{store,warehouse}';

-- What a role reaches on a dimension. No row: nothing.
CREATE TABLE identity.role_scope (
  company_id uuid NOT NULL,
  role_id uuid NOT NULL,
  dimension text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('ALL', 'LIST')),
  ids uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (company_id, role_id, dimension),
  FOREIGN KEY (company_id, role_id) REFERENCES identity.role ON DELETE CASCADE
);
CALL kit.tenant_table('identity.role_scope');
INSERT INTO identity.role_scope (company_id, role_id, dimension, mode)
  SELECT company_id, id, dimension, 'ALL' FROM identity.role, unnest('{store,warehouse}'::text[]) AS dimension;

-- Narrows what a member's roles reach. No row: nothing is narrowed.
CREATE TABLE identity.member_scope (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  dimension text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('ALL', 'LIST')),
  ids uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (company_id, member_id, dimension),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CALL kit.tenant_table('identity.member_scope');

CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.role_scope
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.member_scope
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
DROP TRIGGER announce ON identity.company;
CREATE TRIGGER announce AFTER UPDATE OF status, expire_date, scope_dimensions ON identity.company
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
