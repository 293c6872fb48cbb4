-- Day of the company; inventory is dated in Beijing time.
CREATE OR REPLACE FUNCTION warehouse.today() RETURNS date LANGUAGE sql VOLATILE PARALLEL SAFE AS
$$ SELECT (kit.instant() AT TIME ZONE 'Asia/Shanghai')::date $$;
