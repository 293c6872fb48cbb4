-- Whether apply() refused a leg.
CREATE OR REPLACE FUNCTION warehouse.lacks(legs warehouse.cell[], cells warehouse.cell[]) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN coalesce(cardinality(legs), 0) <> cardinality(cells) OR EXISTS (SELECT FROM unnest(cells) WHERE bad);
END $$;
