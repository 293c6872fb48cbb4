-- Takes the rows up to the end of seal `upto` out of the running company's log, and refuses rows younger than 24 months
-- whoever asks. The seals before go too; of this one the end is left, with `total`, how many rows have gone in all, and
-- `proven`, the keyed hash over what is left. Answers how many rows went.
CREATE OR REPLACE FUNCTION system.purge_audit(upto int, total bigint, proven bytea) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog AS $$
DECLARE
  last uuid;
  n bigint;
BEGIN
  SELECT s.ids[cardinality(s.ids)] INTO last FROM system.audit_seal s
   WHERE s.company_id = kit.company() AND s.no = upto FOR UPDATE;
  IF last IS NULL OR last >= system.id_at(kit.now() - interval '24 months') THEN
    RAISE EXCEPTION 'the log stays for 24 months';
  END IF;
  DELETE FROM kit.audit WHERE company_id = kit.company() AND id <= last;
  GET DIAGNOSTICS n = ROW_COUNT;
  DELETE FROM system.audit_seal WHERE company_id = kit.company() AND no < upto;
  UPDATE system.audit_seal
     SET ids = '{}', links = substring(links FROM length(links) - 31), purged_to = last, purged = total, proof = proven
   WHERE company_id = kit.company() AND no = upto;
  RETURN n;
END $$;

REVOKE ALL ON FUNCTION system.purge_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION system.purge_audit TO erp_app;
