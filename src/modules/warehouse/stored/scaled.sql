-- Parts of a value for a part of it; for showing, they need not add up to the last unit.
CREATE OR REPLACE FUNCTION warehouse.scaled(parts jsonb, value numeric, whole numeric) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN parts IS NOT NULL AND whole <> 0 THEN
     (SELECT jsonb_object_agg(key, round(part::numeric * value / whole, 4)) FROM jsonb_each_text(parts) AS p(key, part)) END $$;
