-- Names the months whose days a statement changed. A company that moves or is erased loses its sums as a whole: nothing is
-- written about it. Works as the owner: a load that a member with few stores causes marks all the same.
CREATE OR REPLACE FUNCTION report.mark_traffic() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO report.traffic_dirty (company_id, account_id, marketplace_id, month)
  SELECT DISTINCT t.company_id, t.account_id, t.marketplace_id, date_trunc('month', t.day)::date
    FROM touched AS t JOIN identity.company AS c USING (company_id)
   WHERE c.status IN ('active', 'suspended');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER mark_added AFTER INSERT ON report.traffic REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION report.mark_traffic();
CREATE OR REPLACE TRIGGER mark_changed AFTER UPDATE ON report.traffic REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION report.mark_traffic();
CREATE OR REPLACE TRIGGER mark_gone AFTER DELETE ON report.traffic REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION report.mark_traffic();
