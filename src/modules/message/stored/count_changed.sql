-- Counts messages that were read or made unread again, and the readers of announcements: whoever read one stays counted.
CREATE OR REPLACE FUNCTION message.count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  companies uuid[]; users uuid[]; ftypes smallint[]; deltas int[];
BEGIN
  SELECT array_agg(company_id), array_agg(user_id), array_agg(ftype), array_agg(n::int) INTO companies, users, ftypes, deltas
    FROM (SELECT a.company_id, a.user_id, a.ftype, sum(CASE WHEN a.is_read THEN -1 ELSE 1 END) AS n
            FROM after_it a JOIN before_it b USING (company_id, user_id, message_id)
           WHERE a.is_read <> b.is_read GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS d;
  IF companies IS NULL THEN RETURN NULL; END IF;
  CALL message.count_up(companies, users, ftypes, deltas);
  UPDATE message.message m SET read_count = m.read_count + d.n
    FROM (SELECT a.company_id, a.message_id, count(*) AS n
            FROM after_it a JOIN before_it b USING (company_id, user_id, message_id)
           WHERE a.ftype = 1 AND a.is_read AND NOT b.is_read GROUP BY 1, 2 ORDER BY 1, 2) AS d
   WHERE m.company_id = d.company_id AND m.id = d.message_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER count_changed AFTER UPDATE ON message.inbox REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
  FOR EACH STATEMENT EXECUTE FUNCTION message.count_changed();
