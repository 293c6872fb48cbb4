-- The money ledger: the only code that writes postings, entries, open items and balances.
--
-- Order of locks, the same for every posting: the document and the party (by the caller), the posting's key, the gate
-- (shared), balances by book and item.

-- Day of the company.
CREATE FUNCTION finance.today() RETURNS date LANGUAGE sql VOLATILE PARALLEL SAFE AS
$$ SELECT (kit.instant() AT TIME ZONE 'Asia/Shanghai')::date $$;

-- Decimal places in which a currency is settled.
CREATE FUNCTION finance.scale(currency text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN currency IN ('JPY', 'KRW', 'VND', 'CLP') THEN 0 ELSE 2 END $$;

-- Ends the posting with what a person may read. `detail` is for the program.
CREATE FUNCTION finance.refuse(code text, message text, detail jsonb DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message, DETAIL = detail::text;
END $$;

-- An amount as people read it.
CREATE FUNCTION finance.words(amount numeric, currency text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT currency || ' ' || round(amount, finance.scale(currency))::text $$;

-- Why a balance cannot take an amount: an account that is empty, an item that is settled already.
CREATE FUNCTION finance.refuse_bound(company uuid, held finance.balance, change numeric) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text;
  free numeric;
BEGIN
  IF held.book = 'ACCOUNT' THEN
    SELECT a.name INTO name FROM finance.cash_account AS a WHERE a.company_id = company AND a.id = held.item_id;
    PERFORM finance.refuse('FN001', format('账户【%s】余额不足：需要 %s，可用 %s', name,
      finance.words(-change, held.currency), finance.words(held.amount + held.bound, held.currency)));
  END IF;
  free := abs(held.amount);
  SELECT i.title INTO name FROM finance.open_item AS i WHERE i.company_id = company AND i.id = held.item_id;
  PERFORM finance.refuse('FN002', CASE
    WHEN (change < 0) = (held.book = 'PAYABLE')
      THEN format('【%s】冲回后将超过原金额 %s', name, finance.words(held.bound, held.currency))
    WHEN held.book = 'PAYABLE'
      THEN format('付款金额超过待付金额 %s（%s）', finance.words(free, held.currency), name)
      ELSE format('【%s】余额只有 %s，不足 %s', name, finance.words(free, held.currency), finance.words(abs(change), held.currency)) END,
    jsonb_build_object('item', held.item_id, 'open', free::text));
END $$;

-- Refuses lines that are no double entry: too few, not in the currency's scale, not adding up to 0.
CREATE FUNCTION finance.check_lines(lines jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bad record;
BEGIN
  SELECT x.c, x.a INTO bad FROM jsonb_to_recordset(lines) AS x(c text, a numeric)
   WHERE x.a = 0 OR x.a <> round(x.a, finance.scale(x.c)) LIMIT 1;
  IF FOUND THEN
    PERFORM finance.refuse('FN005', '请输入正确的金额');
  END IF;
  SELECT x.c, sum(x.a) AS rest INTO bad FROM jsonb_to_recordset(lines) AS x(c text, a numeric)
   GROUP BY x.c HAVING sum(x.a) <> 0 LIMIT 1;
  IF FOUND OR jsonb_array_length(lines) < 2 THEN
    RAISE EXCEPTION 'entries of a posting do not add up: %', bad USING ERRCODE = 'FN099';
  END IF;
END $$;

-- Refuses accounts that do not exist, are out of use or hold another currency, and open items of somebody else.
CREATE FUNCTION finance.check_items(company uuid, lines jsonb, taking_back boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bad record;
BEGIN
  SELECT x.b, x.c, a.name, a.currency AS own, a.disabled, i.id AS item, i.currency AS item_own INTO bad
    FROM jsonb_to_recordset(lines) AS x(b text, i uuid, c text)
    LEFT JOIN finance.cash_account AS a ON x.b = 'ACCOUNT' AND a.company_id = company AND a.id = x.i
    LEFT JOIN finance.open_item AS i ON i.company_id = company AND i.id = x.i AND i.book = x.b
   WHERE x.b IN ('ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE')
     AND (CASE WHEN x.b = 'ACCOUNT' THEN a.id IS NULL OR a.currency <> x.c OR (a.disabled AND NOT taking_back)
               ELSE i.id IS NULL OR i.currency <> x.c END)
   LIMIT 1;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM finance.refuse('FN003', CASE
    WHEN bad.b = 'ACCOUNT' AND bad.name IS NULL THEN '账户不存在或已删除'
    WHEN bad.b = 'ACCOUNT' AND bad.own <> bad.c THEN format('账户【%s】的币种为 %s，不能记 %s', bad.name, bad.own, bad.c)
    WHEN bad.b = 'ACCOUNT' THEN format('账户【%s】已停用', bad.name)
    WHEN bad.item IS NULL THEN '往来款项不存在或已删除'
    ELSE format('往来款项的币种为 %s，不能记 %s', bad.item_own, bad.c) END);
END $$;

-- Refuses a day to come, a closed month, and a day of the past at whose end an account would have been overdrawn; the
-- entries are written already.
CREATE FUNCTION finance.check_day(company uuid, day date, lines jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bad record;
BEGIN
  IF day > finance.today() THEN
    PERFORM finance.refuse('FN004', '业务日期不能晚于今天');
  END IF;
  IF EXISTS (SELECT FROM finance.period WHERE company_id = company AND state = 'CLOSED' AND month = date_trunc('month', day)::date) THEN
    PERFORM finance.refuse('FN004', format('%s 已关账，不能新增或修改；请录入到当前期间或申请反关账', to_char(day, 'YYYY-MM')));
  END IF;
  IF day = finance.today() THEN
    RETURN;
  END IF;
  SELECT a.name, e.business_date, e.closing, a.currency INTO bad
    FROM (SELECT i, sum(a) AS a FROM jsonb_to_recordset(lines) AS l(b text, i uuid, a numeric) WHERE b = 'ACCOUNT'
           GROUP BY 1 HAVING sum(a) < 0) AS x
    JOIN finance.balance AS h ON h.company_id = company AND h.book = 'ACCOUNT' AND h.item_id = x.i
    JOIN finance.cash_account AS a ON a.company_id = company AND a.id = x.i
    CROSS JOIN LATERAL (
      SELECT d.business_date, sum(d.amount) OVER (ORDER BY d.business_date) AS closing
        FROM (SELECT business_date, sum(amount) AS amount FROM finance.entry
               WHERE company_id = company AND item_id = x.i GROUP BY 1) AS d) AS e
   WHERE e.business_date >= day AND e.closing < -h.bound
   ORDER BY e.business_date LIMIT 1;
  IF FOUND THEN
    PERFORM finance.refuse('FN001', format('账户【%s】在 %s 余额不足，日终将为 %s', bad.name, bad.business_date,
      finance.words(bad.closing, bad.currency)));
  END IF;
END $$;

-- Locks the balances in order, adds to them, writes the entries.
CREATE FUNCTION finance.apply(company uuid, posting uuid, day date, lines jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  line record;
  held finance.balance;
  after numeric;
BEGIN
  FOR line IN
    SELECT x.n, x.b, x.i, x.c, x.a, coalesce(x.p, '') AS p, x.k, coalesce(x.m, '') AS m
      FROM jsonb_to_recordset(lines) AS x(n int, b text, i uuid, c text, a numeric, p text, k uuid, m text)
     ORDER BY x.b, x.i, x.n
  LOOP
    after := NULL;
    IF line.b IN ('ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE') THEN
      IF line.b = 'ACCOUNT' THEN
        INSERT INTO finance.balance (company_id, book, item_id, currency) VALUES (company, line.b, line.i, line.c)
        ON CONFLICT DO NOTHING;
      END IF;
      SELECT * INTO held FROM finance.balance AS h
       WHERE h.company_id = company AND h.book = line.b AND h.item_id = line.i FOR UPDATE;
      after := held.amount + line.a;
      IF NOT (CASE line.b WHEN 'ACCOUNT' THEN after >= -held.bound WHEN 'PAYABLE' THEN after BETWEEN -held.bound AND 0
          ELSE after BETWEEN 0 AND held.bound END) THEN
        PERFORM finance.refuse_bound(company, held, line.a);
      END IF;
    END IF;
    INSERT INTO finance.entry (company_id, seq, posting_id, line_no, book, item_id, currency, amount, balance_after, purpose,
      category_id, memo, business_date)
    VALUES (company, nextval('finance.money_seq'), posting, line.n, line.b, line.i, line.c, line.a, after, line.p, line.k,
      line.m, day);
    IF after IS NOT NULL THEN
      UPDATE finance.balance AS h SET amount = after, last_seq = currval('finance.money_seq')
       WHERE h.company_id = company AND h.book = line.b AND h.item_id = line.i;
    END IF;
  END LOOP;
END $$;

-- What makes a posting the same one when it is sent again.
CREATE FUNCTION finance.digest(lines jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT md5(coalesce(string_agg(concat_ws(' ', x.b, x.c, trim_scale(x.a)), ',' ORDER BY x.b, x.c, x.a), ''))
     FROM jsonb_to_recordset(lines) AS x(b text, c text, a numeric) $$;

-- Posts an event: { type, id, event, seq, number, title, date, operatorId, operator, note, items, lines }. All of it or
-- nothing. Answers { id, repeated }.
CREATE FUNCTION finance.post(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
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
    subject_number, title, currency, amount, business_date, due_on, posting_id)
  SELECT company, x.id, x.book, x.kind, x."partyKind", x."partyId", coalesce(x."subjectType", ''), coalesce(x."subjectId", ''),
         coalesce(x."subjectNumber", ''), x.title, x.currency, x.amount, day, x."dueOn", posting.id
    FROM jsonb_to_recordset(coalesce(event->'items', '[]')) AS x(id uuid, book text, kind text, "partyKind" text,
      "partyId" uuid, "subjectType" text, "subjectId" text, "subjectNumber" text, title text, currency text, amount numeric,
      "dueOn" date);
  INSERT INTO finance.balance (company_id, book, item_id, currency, bound)
  SELECT company, i.book, i.id, i.currency, i.amount FROM finance.open_item AS i
   WHERE i.company_id = company AND i.posting_id = posting.id ORDER BY i.book, i.id;
  PERFORM finance.check_items(company, lines, false);
  PERFORM finance.apply(company, posting.id, day, lines);
  -- The balances are locked by now: what is said of the past stays true.
  PERFORM finance.check_day(company, day, lines);
  RETURN jsonb_build_object('id', posting.id, 'repeated', false);
END $$;

-- Takes a posting back by the opposite entries, dated today: { posting, operatorId, operator, note }. A second call
-- answers with the first reversal.
CREATE FUNCTION finance.reverse(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
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
  ON CONFLICT (company_id, reversal_of) DO NOTHING
  RETURNING id INTO posting;
  IF posting IS NULL THEN
    SELECT id INTO posting FROM finance.posting AS p WHERE p.company_id = company AND p.reversal_of = origin.id;
    RETURN jsonb_build_object('id', posting, 'repeated', true);
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('finance.gate:' || company, 0));
  -- The last line first: a debt that came with its deposit is open again before it goes.
  SELECT jsonb_agg(jsonb_build_object('n', 1 + max_no - e.line_no, 'b', e.book, 'i', e.item_id, 'c', e.currency, 'a', -e.amount,
           'p', e.purpose, 'k', e.category_id, 'm', e.memo)) INTO lines
    FROM (SELECT *, max(line_no) OVER () AS max_no FROM finance.entry WHERE company_id = company AND posting_id = origin.id) AS e;
  PERFORM finance.check_items(company, lines, true);
  PERFORM finance.apply(company, posting, day, lines);
  PERFORM finance.check_day(company, day, lines);
  RETURN jsonb_build_object('id', posting, 'repeated', false);
END $$;

-- Sets how far an account may be overdrawn. It cannot become less than what is overdrawn now.
CREATE FUNCTION finance.set_overdraft(account uuid, amount numeric) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  company uuid := kit.company();
  own finance.cash_account;
  held numeric;
BEGIN
  SELECT * INTO own FROM finance.cash_account AS a WHERE a.company_id = company AND a.id = account;
  IF own.id IS NULL THEN
    PERFORM finance.refuse('FN003', '账户不存在或已删除');
  END IF;
  INSERT INTO finance.balance (company_id, book, item_id, currency) VALUES (company, 'ACCOUNT', account, own.currency)
  ON CONFLICT DO NOTHING;
  SELECT h.amount INTO held FROM finance.balance AS h
   WHERE h.company_id = company AND h.book = 'ACCOUNT' AND h.item_id = account FOR UPDATE;
  IF held < -set_overdraft.amount THEN
    PERFORM finance.refuse('FN001', format('账户【%s】当前已透支 %s，透支额度不能低于它', own.name, finance.words(-held, own.currency)));
  END IF;
  UPDATE finance.balance AS h SET bound = set_overdraft.amount
   WHERE h.company_id = company AND h.book = 'ACCOUNT' AND h.item_id = account AND h.bound <> set_overdraft.amount;
END $$;

-- Writes the balances anew from the entries, while no posting is under way. Answers how many were wrong: 0, or somebody
-- went past the ledger.
CREATE FUNCTION finance.rebuild_balances() RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  company uuid := kit.company();
  wrong int;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('finance.gate:' || company, 0));
  WITH fold AS MATERIALIZED (
    SELECT book, item_id, currency, sum(amount) AS amount, max(seq) AS seq
      FROM finance.entry WHERE company_id = company AND item_id IS NOT NULL GROUP BY 1, 2, 3
  ), emptied AS (
    UPDATE finance.balance AS b SET amount = 0, last_seq = 0
     WHERE b.company_id = company AND (b.amount <> 0 OR b.last_seq <> 0)
       AND NOT EXISTS (SELECT FROM fold AS f WHERE (f.book, f.item_id) = (b.book, b.item_id))
    RETURNING 1
  ), put AS (
    INSERT INTO finance.balance AS b (company_id, book, item_id, currency, amount, last_seq, bound)
    SELECT company, f.book, f.item_id, f.currency, f.amount, f.seq, coalesce(i.amount, greatest(0, -f.amount))
      FROM fold AS f LEFT JOIN finance.open_item AS i ON i.company_id = company AND i.id = f.item_id
    ON CONFLICT (company_id, book, item_id) DO UPDATE SET amount = excluded.amount, last_seq = excluded.last_seq
     WHERE (b.amount, b.last_seq) <> (excluded.amount, excluded.last_seq)
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM emptied) + (SELECT count(*) FROM put) INTO wrong;
  RETURN wrong;
END $$;

DO $$
DECLARE
  name text;
BEGIN
  -- Only for the moment: a role must be able to create in a schema to be given something in it.
  GRANT CREATE ON SCHEMA finance TO erp_money;
  FOR name IN SELECT p.oid::regprocedure::text FROM pg_proc AS p WHERE p.pronamespace = 'finance'::regnamespace
      AND p.provolatile = 'v' AND p.proname <> 'today' LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
    EXECUTE format('ALTER FUNCTION %s OWNER TO erp_money', name);
  END LOOP;
  REVOKE CREATE ON SCHEMA finance FROM erp_money;
END $$;
GRANT EXECUTE ON FUNCTION finance.post, finance.reverse, finance.set_overdraft, finance.rebuild_balances TO erp_app;
