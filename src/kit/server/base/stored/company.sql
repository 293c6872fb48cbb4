-- The company of the running transaction. Unset is an error, never "all rows".
CREATE OR REPLACE FUNCTION kit.company() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT current_setting('app.company_id')::uuid $$;
