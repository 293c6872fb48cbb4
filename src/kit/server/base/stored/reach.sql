-- Ids in reach of the running transaction, NULL for all. Unset is an error, never "all".
CREATE OR REPLACE FUNCTION kit.reach(side text, kind text) RETURNS uuid[] LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('app.' || side || '_' || kind), '*')::uuid[] $$;
