-- The company's day now.
CREATE OR REPLACE FUNCTION kit.today() RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT kit.day(kit.now()) $$;
