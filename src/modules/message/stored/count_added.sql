-- Counts unread messages that have come into inboxes.
CREATE OR REPLACE FUNCTION message.count_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  companies uuid[]; users uuid[]; ftypes smallint[]; deltas int[];
BEGIN
  SELECT array_agg(company_id), array_agg(user_id), array_agg(ftype), array_agg(n::int) INTO companies, users, ftypes, deltas
    FROM (SELECT company_id, user_id, ftype, count(*) AS n FROM added WHERE NOT is_read GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS d;
  IF companies IS NOT NULL THEN CALL message.count_up(companies, users, ftypes, deltas); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_added AFTER INSERT ON message.inbox REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION message.count_added();
