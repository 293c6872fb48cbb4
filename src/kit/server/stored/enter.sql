-- The start of a transaction of a company: tells it the company's zone, and answers that. Only after app.company_id is set.
CREATE OR REPLACE FUNCTION kit.enter(company uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  zone text;
BEGIN
  SELECT z.zone INTO zone FROM kit.company_zone AS z WHERE z.company_id = company;
  IF zone IS NOT NULL THEN
    PERFORM set_config('app.zone', zone, true);
  END IF;
  RETURN kit.zone();
END $$;
