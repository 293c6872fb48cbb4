-- Now by the product's clock, going on within a transaction.
CREATE OR REPLACE FUNCTION kit.instant() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS
$$ SELECT clock_timestamp() + kit.clock_shift() $$;
