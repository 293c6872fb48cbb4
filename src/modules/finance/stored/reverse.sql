-- Takes a posting back by the opposite entries, dated today: { posting, operatorId, operator, note }. A second call
-- answers with the first reversal, also where both come at once. Answers { id, repeated }.
CREATE OR REPLACE FUNCTION finance.reverse(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  company uuid := kit.company();
  day date := finance.today();
  origin finance.posting;
  posting uuid;
  lines jsonb;
BEGIN
  SELECT * INTO origin FROM finance.posting AS p WHERE p.company_id = company AND p.id = (event->>'posting')::uuid;
  IF origin.id IS NULL THEN
    PERFORM finance.refuse('FN003', '记账凭据不存在');
  END IF;
  IF origin.reversal_of IS NOT NULL THEN
    PERFORM finance.refuse('FN007', '冲销记录不能再冲销');
  END IF;
  INSERT INTO finance.posting (company_id, source_type, source_id, source_event, event_seq, source_number, title,
    business_date, digest, reversal_of, operator_id, operator_name, note)
  VALUES (company, origin.source_type, origin.source_id, origin.source_event || '.reverse', origin.event_seq,
    origin.source_number, '冲销：' || origin.title, day, origin.digest, origin.id, (event->>'operatorId')::uuid,
    event->>'operator', event->>'note')
  -- A reversal is unique by what it takes back and by its source; whichever of two at once is met first, it is the same one.
  ON CONFLICT DO NOTHING
  RETURNING id INTO posting;
  IF posting IS NULL THEN
    SELECT id INTO posting FROM finance.posting AS p WHERE p.company_id = company AND p.reversal_of = origin.id;
    RETURN jsonb_build_object('id', posting, 'repeated', true);
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('finance.gate:' || company, 0));
  -- The last line first: a debt that came with its deposit is open again before it goes.
  SELECT jsonb_agg(jsonb_build_object('n', 1 + max_no - e.line_no, 'b', e.book, 'i', e.item_id, 'c', e.currency, 'a', -e.amount, 'v', -e.base,
           'p', e.purpose, 'k', e.category_id, 'm', e.memo)) INTO lines
    FROM (SELECT *, max(line_no) OVER () AS max_no FROM finance.entry WHERE company_id = company AND posting_id = origin.id) AS e;
  PERFORM finance.check_items(company, lines, day, true);
  PERFORM finance.apply(company, posting, day, lines);
  PERFORM finance.check_day(company, day, lines);
  RETURN jsonb_build_object('id', posting, 'repeated', false);
END $$;

CALL kit.keep_function('finance.reverse(jsonb)', 'erp_money', true);
