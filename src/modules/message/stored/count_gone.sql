-- Counts unread messages down that have gone from inboxes.
CREATE OR REPLACE FUNCTION message.count_gone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  companies uuid[]; users uuid[]; ftypes smallint[]; deltas int[];
BEGIN
  SELECT array_agg(company_id), array_agg(user_id), array_agg(ftype), array_agg(-n::int) INTO companies, users, ftypes, deltas
    FROM (SELECT company_id, user_id, ftype, count(*) AS n FROM gone WHERE NOT is_read GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS d;
  IF companies IS NOT NULL THEN CALL message.count_up(companies, users, ftypes, deltas); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_gone AFTER DELETE ON message.inbox REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION message.count_gone();
