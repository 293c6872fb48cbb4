-- What take_layers() does, for the one move whose pieces are all in one layer: most documents of one line. Answers null,
-- and has changed nothing, where it is not so.
CREATE OR REPLACE FUNCTION warehouse.take_one(company uuid, posting uuid, moment timestamptz, m warehouse.move, size int)
RETURNS numeric[] LANGUAGE plpgsql AS $$
DECLARE
  l warehouse.cost_layer;
  own uuid[];
  value numeric;
  taken numeric[] := array_fill(0::numeric, ARRAY[size]);
BEGIN
  IF m.g > 0 THEN
    RETURN NULL;
  END IF;
  IF m.fs = 'IN_TRANSIT' THEN
    own := warehouse.own_postings(company, posting);
    SELECT * INTO l FROM warehouse.cost_layer AS c
     WHERE c.company_id = company AND c.product_id = m.p AND c.warehouse_id = m.fw AND c.lot_id = m.fb
       AND c.in_transit AND c.open
     ORDER BY c.source_posting_id <> ALL (own), c.original_date, c.id LIMIT 1 FOR UPDATE;
  ELSE
    SELECT * INTO l FROM warehouse.cost_layer AS c
     WHERE c.company_id = company AND c.product_id = m.p AND c.warehouse_id = m.fw AND c.lot_id = m.fb
       AND NOT c.in_transit AND c.open
     ORDER BY c.original_date, c.id LIMIT 1 FOR UPDATE;
  END IF;
  IF l.id IS NULL OR l.qty_remaining < m.q THEN
    RETURN NULL;
  END IF;
  value := round(l.amount_remaining * m.q / l.qty_remaining, 4);
  UPDATE warehouse.cost_layer AS c
     SET qty_remaining = l.qty_remaining - m.q, amount_remaining = l.amount_remaining - value, open = l.qty_remaining > m.q
   WHERE c.company_id = company AND c.id = l.id;
  INSERT INTO warehouse.layer_consumption (company_id, posting_id, move_no, layer_id, posted_at, qty, amount)
  VALUES (company, posting, m.n, l.id, moment, m.q, value);
  IF m.k = 'CARRY' THEN
    INSERT INTO warehouse.cost_layer (company_id, product_id, warehouse_id, lot_id, in_transit, cost_pool_id,
      source_posting_id, source_move, parent_layer_id, received_at, original_date, qty_in, qty_remaining, amount_in,
      amount_remaining, components, cost_state)
    SELECT company, m.p, m.tw, m.tb, m.ts = 'IN_TRANSIT', coalesce(w.cost_pool_id, w.id), posting, m.n, l.id, moment,
           l.original_date, m.q, m.q, value, value, warehouse.scaled(l.components, value, l.amount_in), l.cost_state
      FROM warehouse.warehouse AS w WHERE w.company_id = company AND w.id = m.tw;
  END IF;
  taken[m.n] := value;
  RETURN taken;
END $$;

CALL kit.keep_function('warehouse.take_one(uuid,uuid,timestamp with time zone,warehouse.move,integer)', 'erp_ledger');
