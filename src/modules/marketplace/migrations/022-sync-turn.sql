-- When a company's stream was last begun: the one that has waited longest is next, however many streams others have.
CREATE TABLE marketplace.sync_turn (
  company_id uuid PRIMARY KEY,
  served_at timestamptz NOT NULL DEFAULT '-infinity'
);
CREATE INDEX sync_turn_next ON marketplace.sync_turn (served_at, company_id);
CALL kit.tenant_table('marketplace.sync_turn', open_to_system => true);
INSERT INTO marketplace.sync_turn (company_id) SELECT DISTINCT company_id FROM marketplace.sync_cursor;
-- The oldest due stream of one company.
CREATE INDEX sync_cursor_turn ON marketplace.sync_cursor (company_id, not_before) WHERE state = 'ready';
