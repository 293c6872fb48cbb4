-- Processes remember who a session belongs to and what he may do. Whoever changes that, in whatever way, makes them all
-- ask again at once.
CREATE OR REPLACE FUNCTION identity.announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('identity_session', 'company:' || coalesce(NEW.company_id, OLD.company_id));
  RETURN NULL;
END $$;

-- Whether he may enter at all, who he is, and on which dimensions his company narrows what its people reach.
CREATE OR REPLACE TRIGGER announce AFTER UPDATE OF status, expire_date, scope_dimensions ON identity.company
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

CREATE OR REPLACE TRIGGER announce AFTER UPDATE OF is_disabled, deleted_at, expire_date, user_type, name ON identity.member
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

-- A password that somebody else made up: he changes it before anything else, and from then on may do his work.
CREATE OR REPLACE TRIGGER announce_password AFTER UPDATE OF must_change_password ON identity.member
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

-- What he may do.
CREATE OR REPLACE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.role_permission
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

CREATE OR REPLACE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.member_role
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

-- What he reaches: by his roles, by what narrows them, and by where he stands.
CREATE OR REPLACE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.role_scope
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

CREATE OR REPLACE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.member_scope
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

CREATE OR REPLACE TRIGGER announce_dept AFTER UPDATE OF dept_id ON identity.member
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

CREATE OR REPLACE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.department
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

-- What his company asks of log-ins and sessions.
CREATE OR REPLACE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.security_policy
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
