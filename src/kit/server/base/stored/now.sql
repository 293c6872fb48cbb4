-- Now by the product's clock: one instant for a whole transaction.
CREATE OR REPLACE FUNCTION kit.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT now() + kit.clock_shift() $$;
