-- A company whose data has been moved into another one. What was sealed in its log stays with it.
ALTER TABLE identity.company DROP CONSTRAINT company_status_check,
  ADD CONSTRAINT company_status_check CHECK (status IN ('active', 'suspended', 'closing', 'erased', 'merged')),
  ADD COLUMN merged_into uuid REFERENCES identity.company,
  ADD CHECK ((status = 'merged') = (merged_into IS NOT NULL));

-- Takes the rows of the running company out of a table that the application may not delete from. Only for a company that
-- is handing everything over, and never from its log: that stays where it was sealed.
CREATE FUNCTION identity.take_away(target regclass) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog AS $$
BEGIN
  IF target::text IN ('kit.audit', 'identity.login_log', 'system.audit_seal', 'system.audit_check') THEN
    RAISE EXCEPTION 'the log stays';
  END IF;
  IF NOT EXISTS (SELECT FROM identity.company WHERE company_id = kit.company() AND status = 'merged') THEN
    RAISE EXCEPTION 'the company is not handing over';
  END IF;
  EXECUTE format('DELETE FROM %s WHERE company_id = kit.company()', target);
END $$;
REVOKE ALL ON FUNCTION identity.take_away FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.take_away TO erp_app;

-- A password that somebody else made up: whoever logs in with it changes it before anything else.
ALTER TABLE identity.member ADD COLUMN must_change_password boolean NOT NULL DEFAULT false;
CREATE TRIGGER announce_password AFTER UPDATE OF must_change_password ON identity.member
  FOR EACH ROW EXECUTE FUNCTION identity.announce();

-- Browsers that somebody has logged in with: hashes of the cookie by which one is known, and of its address and name,
-- which have to do where it keeps no cookies.
CREATE TABLE identity.known_device (
  company_id uuid NOT NULL,
  member_id uuid NOT NULL,
  device_hash text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  last_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, member_id, device_hash),
  FOREIGN KEY (company_id, member_id) REFERENCES identity.member
);
CALL kit.tenant_table('identity.known_device', open_to_system => true);
-- Whoever logged in before is not told of the browsers that he has used all along.
INSERT INTO identity.known_device (company_id, member_id, device_hash, first_seen_at, last_seen_at)
  SELECT company_id, member_id, encode(sha256(convert_to(coalesce(ip, '') || E'\n' || coalesce(user_agent, ''), 'UTF8')), 'hex'),
         min(created_at), max(last_seen_at)
    FROM identity.session GROUP BY 1, 2, 3;
