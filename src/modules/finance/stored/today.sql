-- Day of the company, going on within a transaction.
CREATE OR REPLACE FUNCTION finance.today() RETURNS date LANGUAGE sql VOLATILE PARALLEL SAFE AS
$$ SELECT kit.day(kit.instant()) $$;
