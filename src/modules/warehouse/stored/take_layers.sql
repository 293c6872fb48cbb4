-- Takes pieces out of layers, oldest first, and hands those that stay in the house on to new layers with the same age. Of
-- what is on its way a document takes its own layers first: see own_postings(). A part of a layer costs round(rest x pieces
-- / rest of pieces, 4); the last piece takes all that is left. Returns the value that each move took out, by its number.
--
-- Tries the cheapest way first: take_one() for one move, take_firsts() for many, and take_pieces() for whatever these
-- cannot do.
CREATE OR REPLACE FUNCTION warehouse.take_layers(company uuid, posting uuid, moment timestamptz, moves warehouse.move[])
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  by_date boolean := coalesce((SELECT fifo_by = 'DATE' FROM warehouse.setting WHERE company_id = company), true);
  taken numeric[];
  goers int[] := ARRAY(SELECT n FROM unnest(moves) WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb));
  grouped boolean := EXISTS (SELECT FROM unnest(moves) WHERE g > 0);
BEGIN
  IF cardinality(goers) = 1 AND by_date THEN
    taken := warehouse.take_one(company, posting, moment, moves[goers[1]], cardinality(moves));
    IF taken IS NOT NULL THEN
      RETURN taken;
    END IF;
  END IF;
  FOR tries IN 1..100 LOOP
    -- What was locked in vain is given back with the block, so that the next try locks all of it in order again.
    BEGIN
      IF tries = 1 AND by_date AND NOT grouped AND cardinality(goers) > 1 THEN
        taken := warehouse.take_firsts(company, posting, moment, moves, cardinality(goers));
      ELSE
        taken := warehouse.take_pieces(company, posting, moment, moves, by_date);
      END IF;
      IF taken IS NULL THEN
        RAISE EXCEPTION 'look again' USING ERRCODE = 'WH100';
      END IF;
      RETURN taken;
    EXCEPTION WHEN SQLSTATE 'WH100' THEN
      taken := NULL;
    END;
  END LOOP;
  RAISE EXCEPTION 'stock without a cost layer' USING ERRCODE = 'WH099';
END $$;

CALL kit.keep_function('warehouse.take_layers(uuid,uuid,timestamp with time zone,warehouse.move[])', 'erp_ledger');
