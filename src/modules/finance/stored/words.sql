-- An amount as people read it.
CREATE OR REPLACE FUNCTION finance.words(amount numeric, currency text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT currency || ' ' || round(amount, finance.scale(currency))::text $$;
