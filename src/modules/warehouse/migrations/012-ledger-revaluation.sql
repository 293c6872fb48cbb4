-- What pieces cost is sometimes known only after they came: freight, duty, a corrected price. The value goes where the
-- pieces are now; what has left already keeps what it cost, and its share is a difference of the open period.

CREATE INDEX cost_layer_parent ON warehouse.cost_layer (company_id, parent_layer_id) WHERE parent_layer_id IS NOT NULL;

-- One value that came late, and what became of it. CNY; negative where a bill was too high.
CREATE TABLE warehouse.revaluation (
  company_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  -- the move whose pieces it is for; the number of the move in its posting
  origin_posting_id uuid NOT NULL,
  origin_move int NOT NULL,
  product_id uuid NOT NULL,
  -- where these pieces came in
  warehouse_id uuid NOT NULL,
  component text NOT NULL CHECK (component IN
    ('purchase', 'localFreight', 'firstLeg', 'duty', 'processing', 'placement', 'other')),
  business_date date NOT NULL,
  amount numeric(18, 4) NOT NULL CHECK (amount <> 0),
  to_layers numeric(18, 4) NOT NULL,
  variance numeric(18, 4) NOT NULL GENERATED ALWAYS AS (amount - to_layers) STORED,
  PRIMARY KEY (company_id, posting_id, origin_move),
  FOREIGN KEY (company_id, posting_id) REFERENCES warehouse.stock_posting,
  FOREIGN KEY (company_id, origin_posting_id) REFERENCES warehouse.stock_posting
);
CREATE INDEX revaluation_origin ON warehouse.revaluation (company_id, origin_posting_id);
CREATE INDEX revaluation_day ON warehouse.revaluation (company_id, business_date);
CALL kit.tenant_table('warehouse.revaluation', append_only => true);
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON warehouse.revaluation FROM erp_app;
GRANT SELECT, INSERT ON warehouse.revaluation TO erp_ledger;

-- The layers that a posting made for some of its moves, with all layers that came of them by transfers and swaps.
CREATE FUNCTION warehouse.family_of(company uuid, origin uuid, "values" jsonb)
RETURNS TABLE (n int, root uuid, id uuid, product uuid) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE family AS (
    SELECT v.n, l.id AS root, l.id, l.product_id
      FROM jsonb_to_recordset("values") AS v(n int, l uuid)
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.source_posting_id = origin AND l.source_move = v.n
       AND (v.l IS NULL OR l.id = v.l)
    UNION ALL
    SELECT f.n, f.root, c.id, c.product_id
      FROM family AS f JOIN warehouse.cost_layer AS c ON c.company_id = company AND c.parent_layer_id = f.id
  )
  SELECT f.n, f.root, f.id, f.product_id FROM family AS f
$$;

-- Adds value to pieces that came in with a posting, wherever they are now. `event` holds the key and the operator of a
-- posting, `posting` (what brought the pieces), `component` (which part of the cost), `final` (the cost is settled now) and
-- `values`: [{ n: number of the move in that posting, a: CNY, l: only this layer of it }]. A value is shared over the
-- pieces that came, to the last unit: those still in layers take theirs along, of the others it is a variance. Less than
-- nothing is left in no layer. Answers { id, repeated, moves: [{ n, toLayers, variance }] }.
CREATE FUNCTION warehouse.add_cost(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
  part_name text := event->>'component';
  final boolean := coalesce((event->>'final')::boolean, false);
  posting uuid;
  today date := warehouse.today();
  products uuid[];
  wanted int := jsonb_array_length(event->'values');
  given int;
  result jsonb;
BEGIN
  INSERT INTO warehouse.stock_posting (company_id, source_type, source_id, source_event, event_seq, source_number,
    business_date, operator_id, operator_name, note)
  VALUES (company, event->>'type', event->>'id', event->>'event', (event->>'seq')::int, event->>'number', today,
    (event->>'operatorId')::uuid, event->>'operator', event->>'note')
  ON CONFLICT (company_id, source_type, source_id, source_event, event_seq) DO NOTHING
  RETURNING id INTO posting;
  IF posting IS NULL THEN
    SELECT id INTO posting FROM warehouse.stock_posting
     WHERE company_id = company AND source_type = event->>'type' AND source_id = event->>'id'
       AND source_event = event->>'event' AND event_seq = (event->>'seq')::int;
    SELECT jsonb_agg(jsonb_build_object('n', r.origin_move, 'toLayers', r.to_layers::text, 'variance', r.variance::text)
             ORDER BY r.origin_move) INTO result
      FROM warehouse.revaluation AS r WHERE r.company_id = company AND r.posting_id = posting;
    RETURN jsonb_build_object('id', posting, 'repeated', true, 'moves', coalesce(result, '[]'));
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('warehouse.gate:' || company, 0));
  IF EXISTS (SELECT FROM warehouse.inventory_period WHERE company_id = company AND state = 'CLOSED'
      AND month = date_trunc('month', today)::date) THEN
    PERFORM warehouse.refuse('WH005', '业务日期所在账期已关闭');
  END IF;
  -- Who takes the posting back waits here, and the other way round.
  PERFORM FROM warehouse.stock_posting WHERE company_id = company AND id = origin FOR UPDATE;
  SELECT array_agg(DISTINCT f.product) INTO products FROM warehouse.family_of(company, origin, event->'values') AS f;
  -- Balances before layers, as every posting locks them: while they are held no piece of these products moves.
  PERFORM FROM warehouse.stock_balance AS h
    WHERE h.company_id = company AND h.product_id = ANY (products) AND h.status NOT IN ('OUTSIDE', 'EXPECTED')
    ORDER BY h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id FOR UPDATE;
  IF EXISTS (SELECT FROM warehouse.family_of(company, origin, event->'values') AS f WHERE f.product <> ALL (products)) THEN
    RAISE EXCEPTION 'a swap came between' USING ERRCODE = '40001';
  END IF;
  PERFORM FROM warehouse.cost_layer AS l
    WHERE l.company_id = company AND l.id IN (SELECT f.id FROM warehouse.family_of(company, origin, event->'values') AS f)
    ORDER BY l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.original_date, l.id FOR UPDATE;
  WITH family AS MATERIALIZED (
    SELECT * FROM warehouse.family_of(company, origin, event->'values')
  ), root AS (
    SELECT v.n, l.id, l.product_id, l.warehouse_id, l.qty_in,
           round(v.a * sum(l.qty_in) OVER rising / sum(l.qty_in) OVER whole, 4)
             - round(v.a * (sum(l.qty_in) OVER rising - l.qty_in) / sum(l.qty_in) OVER whole, 4) AS a
      FROM jsonb_to_recordset(event->'values') AS v(n int, a numeric)
      JOIN family AS f ON f.n = v.n AND f.id = f.root
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = f.id
    WINDOW whole AS (PARTITION BY v.n), rising AS (PARTITION BY v.n ORDER BY l.id)
  ), held AS (
    SELECT f.n, l.id, l.product_id, l.warehouse_id, l.lot_id, l.in_transit, l.qty_remaining, l.amount_remaining,
           r.a, r.qty_in, sum(l.qty_remaining) OVER (PARTITION BY f.root ORDER BY l.id) AS upto
      FROM family AS f
      JOIN root AS r ON r.id = f.root
      JOIN warehouse.cost_layer AS l ON l.company_id = company AND l.id = f.id AND l.qty_remaining > 0
  ), part AS MATERIALIZED (
    SELECT h.n, h.id, h.product_id, h.warehouse_id, h.lot_id, h.in_transit,
           greatest(round(h.a * h.upto / h.qty_in, 4) - round(h.a * (h.upto - h.qty_remaining) / h.qty_in, 4),
             -h.amount_remaining) AS a
      FROM held AS h
  ), raised AS (
    UPDATE warehouse.cost_layer AS l
       SET amount_in = l.amount_in + p.a, amount_remaining = l.amount_remaining + p.a,
           components = coalesce(l.components, jsonb_build_object('purchase', l.amount_in::text))
             || jsonb_build_object(part_name, (coalesce((coalesce(l.components, jsonb_build_object('purchase', l.amount_in::text))
                  ->>part_name)::numeric, 0) + p.a)::text),
           cost_state = CASE WHEN final THEN 'FINAL' ELSE l.cost_state END
      FROM part AS p WHERE l.company_id = company AND l.id = p.id AND (p.a <> 0 OR final)
  ), target AS (
    -- One cell takes all that its layers got: pieces of one lot may lie in several places.
    SELECT DISTINCT ON (t.product_id, t.warehouse_id, t.lot_id, t.in_transit) h.status, h.warehouse_id, h.product_id,
           h.location_id, h.lot_id, t.a
      FROM (SELECT p.product_id, p.warehouse_id, p.lot_id, p.in_transit, sum(p.a) AS a FROM part AS p WHERE p.a <> 0 GROUP BY 1, 2, 3, 4) AS t
      JOIN warehouse.stock_balance AS h ON h.company_id = company AND h.qty > 0 AND h.status NOT IN ('OUTSIDE', 'EXPECTED')
       AND (h.product_id, h.warehouse_id, h.lot_id, h.status = 'IN_TRANSIT') = (t.product_id, t.warehouse_id, t.lot_id, t.in_transit)
     ORDER BY t.product_id, t.warehouse_id, t.lot_id, t.in_transit, h.status, h.location_id
  ), put AS (
    UPDATE warehouse.stock_balance AS h SET delta = 0, last_seq = nextval('warehouse.stock_seq')
      FROM target AS t
     WHERE h.company_id = company AND (h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.status)
         = (t.warehouse_id, t.product_id, t.location_id, t.lot_id, t.status)
    RETURNING h.status, h.warehouse_id, h.product_id, h.location_id, h.lot_id, h.qty, h.last_seq, t.a
  ), written AS (
    INSERT INTO warehouse.stock_entry (company_id, seq, posted_at, posting_id, line_no, business_date, product_id,
      warehouse_id, location_id, lot_id, status, qty, balance_after, unit_cost, amount)
    SELECT company, p.last_seq, kit.instant(), posting, row_number() OVER (ORDER BY p.last_seq), today, p.product_id,
           p.warehouse_id, p.location_id, p.lot_id, p.status, 0, p.qty, NULL, p.a
      FROM put AS p
  ), noted AS (
    INSERT INTO warehouse.revaluation (company_id, posting_id, origin_posting_id, origin_move, product_id, warehouse_id,
      component, business_date, amount, to_layers)
    SELECT company, posting, origin, v.n, r.product_id, r.warehouse_id, part_name, today, v.a, coalesce(p.a, 0)
      FROM jsonb_to_recordset(event->'values') AS v(n int, a numeric)
      JOIN LATERAL (SELECT * FROM root WHERE root.n = v.n ORDER BY root.id LIMIT 1) AS r ON true
      LEFT JOIN (SELECT part.n, sum(part.a) AS a FROM part GROUP BY 1) AS p ON p.n = v.n
    RETURNING origin_move, to_layers, variance
  )
  SELECT count(*), jsonb_agg(jsonb_build_object('n', origin_move, 'toLayers', to_layers::text, 'variance', variance::text)
           ORDER BY origin_move) INTO given, result FROM noted;
  IF given <> wanted THEN
    PERFORM warehouse.refuse('WH008', '没有对应的成本层，不能补录成本');
  END IF;
  RETURN jsonb_build_object('id', posting, 'repeated', false, 'moves', result);
END $$;

ALTER FUNCTION warehouse.reverse(jsonb) RENAME TO take_posting_back;
ALTER FUNCTION warehouse.take_posting_back(jsonb) SECURITY INVOKER;

-- Takes a posting back, unless value came to its pieces later: that is taken away first, by the opposite value, so that
-- layers and entries stay equal. What take_posting_back() answers.
CREATE FUNCTION warehouse.reverse(event jsonb) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  company uuid := kit.company();
  origin uuid := (event->>'posting')::uuid;
  later text;
BEGIN
  PERFORM FROM warehouse.stock_posting WHERE company_id = company AND id = origin FOR UPDATE;
  IF EXISTS (SELECT FROM warehouse.revaluation WHERE company_id = company AND posting_id = origin) THEN
    PERFORM warehouse.refuse('WH008', '成本补录不能撤销，请补录相反的金额');
  END IF;
  IF (SELECT sum(to_layers) <> 0 FROM warehouse.revaluation WHERE company_id = company AND origin_posting_id = origin) THEN
    SELECT p.source_number INTO later FROM warehouse.revaluation AS r
      JOIN warehouse.stock_posting AS p ON p.company_id = company AND p.id = r.posting_id
     WHERE r.company_id = company AND r.origin_posting_id = origin ORDER BY r.posting_id DESC LIMIT 1;
    PERFORM warehouse.refuse('WH007', format('该单据的成本已由 %s 补录，请先冲减', later),
      jsonb_build_object('users', jsonb_build_array(later)));
  END IF;
  RETURN warehouse.take_posting_back(event);
END $$;

GRANT CREATE ON SCHEMA warehouse TO erp_ledger;
REVOKE ALL ON FUNCTION warehouse.add_cost, warehouse.reverse FROM PUBLIC;
REVOKE ALL ON FUNCTION warehouse.take_posting_back FROM PUBLIC, erp_app;
ALTER FUNCTION warehouse.add_cost OWNER TO erp_ledger;
ALTER FUNCTION warehouse.reverse OWNER TO erp_ledger;
REVOKE CREATE ON SCHEMA warehouse FROM erp_ledger;
GRANT EXECUTE ON FUNCTION warehouse.add_cost, warehouse.reverse TO erp_app;
