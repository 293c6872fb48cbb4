-- Departments of a company, a tree.
CREATE TABLE identity.department (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  parent_id uuid,
  name text NOT NULL,
  leader_id uuid,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  sort int NOT NULL DEFAULT 0,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE NULLS NOT DISTINCT (company_id, parent_id, name),
  FOREIGN KEY (company_id, parent_id) REFERENCES identity.department,
  FOREIGN KEY (company_id, leader_id) REFERENCES identity.member
);
CREATE INDEX department_leader ON identity.department (company_id, leader_id);
CALL kit.tenant_table('identity.department');

ALTER TABLE identity.member
  ADD COLUMN dept_id uuid,
  ADD COLUMN remark text,
  ADD COLUMN version int NOT NULL DEFAULT 0,
  ADD FOREIGN KEY (company_id, dept_id) REFERENCES identity.department;
CREATE INDEX member_dept ON identity.member (company_id, dept_id) WHERE deleted_at IS NULL;
CREATE INDEX member_role_role ON identity.member_role (company_id, role_id);

ALTER TABLE identity.role
  ADD COLUMN description text NOT NULL DEFAULT '',
  -- from which template it was made, if any
  ADD COLUMN template text,
  ADD COLUMN version int NOT NULL DEFAULT 0,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT kit.now(),
  ADD COLUMN updated_by_name text;

-- Persons are also reached by where they stand: oneself, one's department, everything below it.
ALTER TABLE identity.role_scope DROP CONSTRAINT role_scope_mode_check,
  ADD CONSTRAINT role_scope_mode_check CHECK (mode IN ('ALL', 'LIST', 'SELF', 'DEPT', 'DEPT_TREE'));
ALTER TABLE identity.member_scope DROP CONSTRAINT member_scope_mode_check,
  ADD CONSTRAINT member_scope_mode_check CHECK (mode IN ('ALL', 'LIST', 'SELF', 'DEPT', 'DEPT_TREE'));
-- Roles that exist keep what they reached, should their company switch the dimension on.
INSERT INTO identity.role_scope (company_id, role_id, dimension, mode)
  SELECT company_id, id, 'owner', 'ALL' FROM identity.role;

CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.department
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
CREATE TRIGGER announce_dept AFTER UPDATE OF dept_id ON identity.member
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
