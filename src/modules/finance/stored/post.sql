-- Posts an event: { type, id, event, seq, number, title, date, operatorId, operator, note, items, lines }. All of it or
-- nothing. Answers { id, repeated }.
--
-- The functions of the ledger are the only code that writes postings, entries, open items and balances. Order of locks,
-- the same for every posting: the document and the party (by the caller), the posting's key, the gate (shared), balances
-- by book and item.
CREATE OR REPLACE FUNCTION finance.post(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  company uuid := kit.company();
  day date := coalesce((event->>'date')::date, finance.today());
  lines jsonb := event->'lines';
  posting finance.posting;
BEGIN
  PERFORM finance.check_lines(lines);
  INSERT INTO finance.posting (company_id, source_type, source_id, source_event, event_seq, source_number, title,
    business_date, digest, operator_id, operator_name, note)
  VALUES (company, event->>'type', event->>'id', event->>'event', (event->>'seq')::int, event->>'number', event->>'title',
    day, finance.digest(lines), (event->>'operatorId')::uuid, event->>'operator', event->>'note')
  ON CONFLICT (company_id, source_type, source_id, source_event, event_seq) DO NOTHING
  RETURNING * INTO posting;
  IF posting.id IS NULL THEN
    SELECT * INTO posting FROM finance.posting AS p
     WHERE p.company_id = company AND p.source_type = event->>'type' AND p.source_id = event->>'id'
       AND p.source_event = event->>'event' AND p.event_seq = (event->>'seq')::int;
    IF posting.digest <> finance.digest(lines) THEN
      PERFORM finance.refuse('FN006', format('【%s】已经记账，且金额与本次不同', posting.source_number));
    END IF;
    RETURN jsonb_build_object('id', posting.id, 'repeated', true);
  END IF;
  -- The end of a month takes the gate alone; postings share it.
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('finance.gate:' || company, 0));
  INSERT INTO finance.open_item (company_id, id, book, kind, party_kind, party_id, subject_type, subject_id,
    subject_number, title, currency, amount, business_date, due_on, rate, base, posting_id)
  SELECT company, x.id, x.book, x.kind, x."partyKind", x."partyId", coalesce(x."subjectType", ''), coalesce(x."subjectId", ''),
         coalesce(x."subjectNumber", ''), x.title, x.currency, x.amount, day, x."dueOn", x.rate, x.base,
         posting.id
    FROM jsonb_to_recordset(coalesce(event->'items', '[]')) AS x(id uuid, book text, kind text, "partyKind" text,
      "partyId" uuid, "subjectType" text, "subjectId" text, "subjectNumber" text, title text, currency text, amount numeric,
      "dueOn" date, rate numeric, base numeric);
  INSERT INTO finance.balance (company_id, book, item_id, currency, bound, base)
  SELECT company, i.book, i.id, i.currency, i.amount, i.base * 0 FROM finance.open_item AS i
   WHERE i.company_id = company AND i.posting_id = posting.id ORDER BY i.book, i.id;
  PERFORM finance.check_items(company, lines, day, false);
  PERFORM finance.apply(company, posting.id, day, lines);
  -- The balances are locked by now: what is said of the past stays true.
  PERFORM finance.check_day(company, day, lines);
  RETURN jsonb_build_object('id', posting.id, 'repeated', false);
END $$;

CALL kit.keep_function('finance.post(jsonb)', 'erp_money', true);
