-- How much of the workers' time each class of reading has had, divided by its share: the class that has had least is next.
-- It names no company, because the workers belong to all.
CREATE TABLE marketplace.slot_class (
  class text PRIMARY KEY CHECK (class IN ('live', 'gap', 'backfill')),
  share int NOT NULL CHECK (share > 0),
  -- seconds of workers per share
  pass double precision NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
INSERT INTO marketplace.slot_class (class, share) VALUES ('live', 70), ('gap', 20), ('backfill', 10);
GRANT SELECT, UPDATE ON marketplace.slot_class TO erp_app;

-- Companies take turns within each class.
ALTER TABLE marketplace.sync_turn ADD COLUMN class text NOT NULL DEFAULT 'live'
  CHECK (class IN ('live', 'gap', 'backfill'));
ALTER TABLE marketplace.sync_turn DROP CONSTRAINT sync_turn_pkey, ADD PRIMARY KEY (company_id, class);
INSERT INTO marketplace.sync_turn (company_id, class)
SELECT t.company_id, c.class FROM marketplace.sync_turn AS t, marketplace.slot_class AS c WHERE c.class <> 'live';
DROP INDEX marketplace.sync_turn_next;
CREATE INDEX sync_turn_next ON marketplace.sync_turn (class, served_at, company_id);

-- A stream whose last window did not reach the present catches up: a gap.
ALTER TABLE marketplace.sync_cursor ADD COLUMN behind boolean NOT NULL DEFAULT false;
DROP INDEX marketplace.sync_cursor_turn;
CREATE INDEX sync_cursor_turn ON marketplace.sync_cursor (company_id, behind, not_before) WHERE state = 'ready';

-- Reports and backfills that a worker has in hand are given to no other one.
ALTER TABLE marketplace.report_request ADD COLUMN past boolean NOT NULL DEFAULT false, ADD COLUMN taken_until timestamptz;
UPDATE marketplace.report_request AS r SET past = true
  FROM (SELECT company_id, plan, min(priority) AS first FROM marketplace.report_request GROUP BY 1, 2) AS p
 WHERE r.company_id = p.company_id AND r.plan = p.plan AND r.priority > p.first AND r.plan <> 'manual';
CREATE INDEX report_request_turn ON marketplace.report_request (company_id, past, next_at, priority)
  WHERE status IN ('planned', 'requested', 'ready', 'downloaded');
ALTER TABLE marketplace.sync_backfill ADD COLUMN next_at timestamptz NOT NULL DEFAULT kit.now(), ADD COLUMN taken_until timestamptz;
CREATE INDEX sync_backfill_turn ON marketplace.sync_backfill (company_id, next_at) WHERE state = 'running';
