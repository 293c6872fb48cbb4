-- The day that companies count by, wherever server and database stand.
CREATE OR REPLACE FUNCTION kit.today() RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT (kit.now() AT TIME ZONE 'Asia/Shanghai')::date $$;
