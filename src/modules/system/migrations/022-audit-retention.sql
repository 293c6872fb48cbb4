-- The operation log is kept for 24 months. What is older goes from the beginning of the chain, whole seals at a time; of
-- the last seal that went only the end is left, which the chain goes on from: `proof` is a keyed hash over it, so that
-- nobody without the key, which lies outside the database, can move the beginning of the log.
ALTER TABLE system.audit_seal
  ADD COLUMN purged_to uuid,
  ADD COLUMN purged bigint,
  ADD COLUMN proof bytea,
  ADD CHECK (num_nulls(purged_to, purged, proof) IN (0, 3)),
  ADD CHECK ((purged_to IS NULL) = (cardinality(ids) > 0));
-- Rows that had gone by then: together with those that were checked they only ever become more.
ALTER TABLE system.audit_check ADD COLUMN purged bigint NOT NULL DEFAULT 0;

-- Takes the rows up to the end of one seal out of the running company's log, and refuses younger ones whoever asks.
-- Answers how many rows went.
CREATE FUNCTION system.purge_audit(upto int, total bigint, proven bytea) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
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
