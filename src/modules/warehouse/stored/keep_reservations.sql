-- Keeps reservations in step with what is RESERVED; refuses to touch RESERVED without one.
CREATE OR REPLACE FUNCTION warehouse.keep_reservations(company uuid, posting uuid, moves warehouse.move[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  hits int;
  wanted int;
BEGIN
  PERFORM FROM warehouse.reservation WHERE company_id = company AND id IN (SELECT r FROM unnest(moves)) ORDER BY id FOR UPDATE;
  WITH change AS (
    SELECT r AS id, p, w, l, b,
           sum(CASE WHEN up THEN q ELSE 0 END)::int AS reserved, sum(CASE WHEN NOT up AND NOT back THEN q ELSE 0 END)::int AS shipped,
           sum(CASE WHEN NOT up AND back THEN q ELSE 0 END)::int AS released
      FROM (SELECT r, p, q, tw AS w, tl AS l, tb AS b, true AS up, false AS back FROM unnest(moves) WHERE ts = 'RESERVED'
            UNION ALL
            SELECT r, p, q, fw, fl, fb, false, ts = 'AVAILABLE' AND tw = fw FROM unnest(moves) WHERE fs = 'RESERVED') AS m
     GROUP BY 1, 2, 3, 4, 5
  ), kept AS (
    UPDATE warehouse.reservation AS r
       SET qty = r.qty + c.reserved, shipped_qty = r.shipped_qty + c.shipped, released_qty = r.released_qty + c.released,
           picked_qty = least(r.picked_qty, r.qty + c.reserved - r.released_qty - c.released),
           state = CASE WHEN r.held + c.reserved - c.shipped - c.released = 0
                        THEN CASE WHEN r.shipped_qty + c.shipped > 0 THEN 'SHIPPED' ELSE 'RELEASED' END
                        WHEN r.picked_qty + r.released_qty + c.released >= r.qty + c.reserved THEN 'PICKED' ELSE 'OPEN' END
      FROM change AS c
     WHERE r.company_id = company AND r.id = c.id
       AND (r.product_id, r.warehouse_id, r.location_id, r.lot_id) = (c.p, c.w, c.l, c.b)
       AND r.held + c.reserved - c.shipped - c.released >= 0
    RETURNING c.id, c.reserved, c.shipped, c.released
  ), noted AS (
    INSERT INTO warehouse.reservation_move (company_id, posting_id, reservation_id, reserved, shipped, released)
    SELECT company, posting, id, reserved, shipped, released FROM kept
  )
  SELECT (SELECT count(*) FROM kept), count(*) INTO hits, wanted FROM change;
  IF hits <> wanted THEN
    PERFORM warehouse.refuse('WH004', '预留不存在或数量不足，请刷新后重试');
  END IF;
END $$;

CALL kit.keep_function('warehouse.keep_reservations(uuid,uuid,warehouse.move[])', 'erp_ledger');
