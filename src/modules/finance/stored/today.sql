-- Day of the company.
CREATE OR REPLACE FUNCTION finance.today() RETURNS date LANGUAGE sql VOLATILE PARALLEL SAFE AS
$$ SELECT (kit.instant() AT TIME ZONE 'Asia/Shanghai')::date $$;
