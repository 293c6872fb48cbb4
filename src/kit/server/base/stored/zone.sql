-- The zone in which the running transaction counts days: its company's, else Beijing's. CASE and not coalesce(), see
-- kit.clock_shift().
CREATE OR REPLACE FUNCTION kit.zone() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN current_setting('app.zone', true) > '' THEN current_setting('app.zone') ELSE 'Asia/Shanghai' END $$;
