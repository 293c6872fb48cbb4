-- How far the product's clock is ahead of the machine's, as the transaction was told (src/kit/server/clock.ts). CASE and
-- not coalesce(): the planner takes that for something that could leak rows, and then finds nothing by index.
CREATE OR REPLACE FUNCTION kit.clock_shift() RETURNS interval LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN current_setting('app.clock_shift', true) > '' THEN current_setting('app.clock_shift')::interval
               ELSE interval '0' END $$;
