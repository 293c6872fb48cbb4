-- The kit reads a company's zone at the start of each of its transactions: from a table of its own, which follows here.
CREATE OR REPLACE FUNCTION identity.zone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Refuses what is no zone: no transaction of the company could begin to count days in it.
  PERFORM kit.now() AT TIME ZONE NEW.time_zone;
  INSERT INTO kit.company_zone (company_id, zone) VALUES (NEW.company_id, NEW.time_zone)
  ON CONFLICT (company_id) DO UPDATE SET zone = excluded.zone;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER zone_of_new AFTER INSERT ON identity.company
  FOR EACH ROW WHEN (NEW.time_zone <> 'Asia/Shanghai') EXECUTE FUNCTION identity.zone();

CREATE OR REPLACE TRIGGER zone AFTER UPDATE OF time_zone ON identity.company
  FOR EACH ROW WHEN (OLD.time_zone IS DISTINCT FROM NEW.time_zone) EXECUTE FUNCTION identity.zone();
