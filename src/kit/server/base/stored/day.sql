-- The company's day of an instant, wherever server and database stand.
CREATE OR REPLACE FUNCTION kit.day(moment timestamptz) RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT (moment AT TIME ZONE kit.zone())::date $$;
