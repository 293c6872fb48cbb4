-- Processes remember who a session belongs to and what he may do. Whoever changes that, in whatever way, makes them all
-- ask again at once.
CREATE FUNCTION identity.announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('identity_session', 'company:' || coalesce(NEW.company_id, OLD.company_id));
  RETURN NULL;
END $$;

CREATE TRIGGER announce AFTER UPDATE OF status, expire_date ON identity.company
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
CREATE TRIGGER announce AFTER UPDATE OF is_disabled, deleted_at, expire_date, user_type, name ON identity.member
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.role_permission
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
CREATE TRIGGER announce AFTER INSERT OR UPDATE OR DELETE ON identity.member_role
  FOR EACH ROW EXECUTE FUNCTION identity.announce();
