-- Whether a move takes its pieces out of the cell of layers of its first side: by leaving the company, or for another
-- warehouse, another lot, or from the way into the house.
CREATE OR REPLACE FUNCTION warehouse.leaves(s1 text, w1 uuid, b1 uuid, s2 text, w2 uuid, b2 uuid) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT s1 NOT IN ('OUTSIDE', 'EXPECTED') AND (s2 IN ('OUTSIDE', 'EXPECTED')
     OR (w1, b1, s1 = 'IN_TRANSIT') IS DISTINCT FROM (w2, b2, s2 = 'IN_TRANSIT')) $$;
