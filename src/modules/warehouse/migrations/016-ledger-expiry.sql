-- Documents may hold stock for some days only.

ALTER TABLE warehouse.document_setting
  -- 0: for ever
  ADD COLUMN hold_days int NOT NULL DEFAULT 0 CHECK (hold_days BETWEEN 0 AND 365);

CREATE INDEX reservation_expiry ON warehouse.reservation (company_id, expires_at) WHERE held > 0 AND expires_at IS NOT NULL;

-- Names what was given back because its time was over. The pieces themselves went back by a posting before.
CREATE FUNCTION warehouse.expire(reservations uuid[]) RETURNS int LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  WITH expired AS (
    UPDATE warehouse.reservation SET state = 'EXPIRED'
     WHERE company_id = kit.company() AND id = ANY (reservations) AND state = 'RELEASED' AND expires_at <= kit.now()
    RETURNING id
  )
  SELECT count(*)::int FROM expired
$$;
GRANT CREATE ON SCHEMA warehouse TO erp_ledger;
ALTER FUNCTION warehouse.expire OWNER TO erp_ledger;
REVOKE CREATE ON SCHEMA warehouse FROM erp_ledger;
REVOKE ALL ON FUNCTION warehouse.expire FROM PUBLIC;
GRANT EXECUTE ON FUNCTION warehouse.expire TO erp_app;
