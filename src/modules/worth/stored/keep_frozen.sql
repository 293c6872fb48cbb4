-- The lines of a frozen month stay as they are.
CREATE OR REPLACE FUNCTION worth.keep_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM worth.month AS m WHERE m.state = 'FROZEN'
              AND (m.company_id, m.month) IN (SELECT DISTINCT t.company_id, t.month FROM touched AS t)) THEN
    RAISE EXCEPTION 'the month is frozen';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER keep_added AFTER INSERT ON worth.line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION worth.keep_frozen();
CREATE OR REPLACE TRIGGER keep_changed AFTER UPDATE ON worth.line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION worth.keep_frozen();
