-- Names reservations that were given back because their time was over; the pieces themselves went back by a posting just
-- before. Answers how many that were.
CREATE OR REPLACE FUNCTION warehouse.expire(reservations uuid[]) RETURNS int LANGUAGE sql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  WITH expired AS (
    UPDATE warehouse.reservation SET state = 'EXPIRED'
     WHERE company_id = kit.company() AND id = ANY (reservations) AND state = 'RELEASED' AND expires_at <= kit.now()
    RETURNING id
  )
  SELECT count(*)::int FROM expired
$$;

CALL kit.keep_function('warehouse.expire(uuid[])', 'erp_ledger', true);
