-- Adds to counters and tells the page. Rows are locked in the order of their keys, so that two senders with the same
-- readers wait for each other instead of blocking each other.
CREATE OR REPLACE PROCEDURE message.count_up(companies uuid[], users uuid[], ftypes smallint[], deltas int[]) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message.counter AS c (company_id, user_id, ftype, unread)
    SELECT company_id, user_id, ftype, 0 FROM unnest(companies, users, ftypes, deltas) AS d (company_id, user_id, ftype, delta)
     WHERE NOT EXISTS (SELECT FROM message.counter k WHERE k.company_id = d.company_id AND k.user_id = d.user_id AND k.ftype = d.ftype)
     ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
  PERFORM FROM message.counter AS c
     JOIN unnest(companies, users, ftypes) AS d (company_id, user_id, ftype) USING (company_id, user_id, ftype)
     ORDER BY c.company_id, c.user_id, c.ftype FOR UPDATE OF c;
  UPDATE message.counter AS c SET unread = greatest(0, c.unread + d.delta)
    FROM unnest(companies, users, ftypes, deltas) AS d (company_id, user_id, ftype, delta)
   WHERE c.company_id = d.company_id AND c.user_id = d.user_id AND c.ftype = d.ftype;
  PERFORM pg_notify('message', company_id || ':' || user_id)
     FROM (SELECT DISTINCT company_id, user_id FROM unnest(companies, users) AS d (company_id, user_id)) AS who;
END $$;

GRANT EXECUTE ON PROCEDURE message.count_up TO erp_app;
