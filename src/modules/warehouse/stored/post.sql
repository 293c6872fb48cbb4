-- Posts one event of a document: the only way in which pieces move. All moves happen or none, and each sees the stock as it
-- was before all of them.
-- `event`: the key and the name of the posting (type, id, event, seq, number), `date` (null: today), `backdate` (how many
-- days back it may be dated), operatorId, operator, note, `moves`: [warehouse.move], as server/ledger/wire.ts makes them,
-- and `reservations`: [{ id, line, p, w, l, b, until }], new ones that the moves name (may be left out). Answers { id,
-- repeated }: an event that was posted before is answered with its first posting and changes nothing.
--
-- Calls, in this order: moves_of(), check_places(), legs_of(), apply(), check_past() for a day in the past, take_layers(),
-- make_layers(), keep_reservations(), write_entries(). Where stock is valued by moving average it calls hold_pools() before
-- layers are touched, and level() before and after.
--
-- Order of locks, the same wherever stock is written, so that none waits for another in a circle: the document (by the
-- caller), the gate (shared), balances by status and key, pools of average prices by product and warehouse, layers by cell
-- and age, reservations by id. The posting's own key is taken first here, and after the balances by reserve() and
-- reverse(): only a repetition of the same event waits for it.
CREATE OR REPLACE FUNCTION warehouse.post(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  moves warehouse.move[];
  posting uuid;
  day date := coalesce((event->>'date')::date, warehouse.today());
  today date;
  moment timestamptz;
  legs warehouse.cell[];
  cells warehouse.cell[];
  taken numeric[];
  given numeric[];
  products uuid[];
  houses uuid[];
BEGIN
  INSERT INTO warehouse.stock_posting (company_id, source_type, source_id, source_event, event_seq, source_number,
    business_date, operator_id, operator_name, note)
  VALUES (company, event->>'type', event->>'id', event->>'event', (event->>'seq')::int, event->>'number', day,
    (event->>'operatorId')::uuid, event->>'operator', event->>'note')
  ON CONFLICT (company_id, source_type, source_id, source_event, event_seq) DO NOTHING
  RETURNING id INTO posting;
  IF posting IS NULL THEN
    SELECT id INTO posting FROM warehouse.stock_posting
     WHERE company_id = company AND source_type = event->>'type' AND source_id = event->>'id'
       AND source_event = event->>'event' AND event_seq = (event->>'seq')::int;
    RETURN jsonb_build_object('id', posting, 'repeated', true);
  END IF;
  -- Counts and period ends take the gate alone; postings share it.
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  IF NOT EXISTS (SELECT FROM warehouse.warehouse WHERE company_id = company AND id = warehouse.virtual_id(company, 'SUPPLIER')) THEN
    PERFORM warehouse.ensure_virtual();
  END IF;
  -- Plans are kept for the many documents of a few lines; the few of many lines are worth a plan of their own.
  IF jsonb_array_length(event->'moves') > 50 THEN
    PERFORM set_config('plan_cache_mode', 'force_custom_plan', true);
  END IF;
  moves := warehouse.moves_of(event->'moves');
  PERFORM warehouse.check_places(company, moves, event->>'type', event->>'id');
  -- Most have theirs: the index is asked for each, and never all lots of the company for the few.
  INSERT INTO warehouse.lot (company_id, id, product_id, lot_no)
  SELECT DISTINCT company, m.p, m.p, '' FROM unnest(moves) AS m WHERE m.p IN (m.fb, m.tb) ORDER BY 2
  ON CONFLICT DO NOTHING;
  legs := warehouse.legs_of(moves);
  cells := warehouse.apply(company, legs);
  IF warehouse.lacks(legs, cells) THEN
    PERFORM warehouse.refuse_shortage(company, legs, cells);
  END IF;
  moment := kit.instant();
  today := kit.day(moment);
  IF event->>'date' IS NULL AND day <> today THEN
    -- Midnight passed while the posting waited.
    day := today;
    UPDATE warehouse.stock_posting SET business_date = day WHERE company_id = company AND id = posting;
  END IF;
  IF day > today THEN
    PERFORM warehouse.refuse('WH005', '业务日期不能晚于今天');
  ELSIF day < today THEN
    IF today - day > (event->>'backdate')::int THEN
      PERFORM warehouse.refuse('WH005', CASE WHEN (event->>'backdate')::int = 0 THEN '没有补录历史日期单据的权限'
        ELSE format('业务日期最多可补录 %s 天', event->>'backdate') END);
    END IF;
    PERFORM warehouse.check_past(company, cells, day);
  END IF;
  IF EXISTS (SELECT FROM warehouse.inventory_period WHERE company_id = company AND state = 'CLOSED'
      AND month = date_trunc('month', day)::date) THEN
    PERFORM warehouse.refuse('WH005', '业务日期所在账期已关闭');
  END IF;
  IF warehouse.averages(company) THEN
    SELECT array_agg(x.p), array_agg(x.w) INTO products, houses FROM (
      SELECT p, fw AS w FROM unnest(moves) WHERE fs <> 'IN_TRANSIT' AND warehouse.leaves(fs, fw, fb, ts, tw, tb)
      UNION SELECT p, tw FROM unnest(moves) WHERE ts <> 'IN_TRANSIT' AND warehouse.leaves(ts, tw, tb, fs, fw, fb)) AS x;
    PERFORM warehouse.hold_pools(company, products, houses);
    -- The first posting after the method was chosen finds layers at prices of their own.
    PERFORM warehouse.level(company, products, houses);
  END IF;
  IF EXISTS (SELECT FROM unnest(moves) WHERE warehouse.leaves(fs, fw, fb, ts, tw, tb)) THEN
    taken := warehouse.take_layers(company, posting, moment, moves);
  END IF;
  IF EXISTS (SELECT FROM unnest(moves) WHERE k IS NOT NULL AND fs IN ('OUTSIDE', 'EXPECTED')) THEN
    given := warehouse.make_layers(company, posting, moment, day, moves, taken);
  END IF;
  IF products IS NOT NULL THEN
    PERFORM warehouse.level(company, products, houses);
  END IF;
  IF event->'reservations' IS NOT NULL THEN
    INSERT INTO warehouse.reservation (company_id, id, document_type, document_id, line_id, document_number, product_id,
      warehouse_id, location_id, lot_id, expires_at)
    SELECT company, r.id, event->>'type', event->>'id', r.line, event->>'number', r.p, r.w, r.l, r.b, r.until
      FROM jsonb_to_recordset(event->'reservations') AS r(id uuid, line text, p uuid, w uuid, l uuid, b uuid, until timestamptz);
  END IF;
  IF EXISTS (SELECT FROM unnest(moves) WHERE 'RESERVED' IN (fs, ts)) THEN
    PERFORM warehouse.keep_reservations(company, posting, moves);
  END IF;
  PERFORM warehouse.write_entries(company, posting, moment, day, cells, moves, taken, given);
  RETURN jsonb_build_object('id', posting, 'repeated', false);
END $$;

CALL kit.keep_function('warehouse.post(jsonb)', 'erp_ledger', true);
