-- Lets uploads into a table be undone. Rows that hold together (an order and its lines) share the name of a unit and the
-- columns that tell one unit from the other: a unit is put back whole or not at all. Without them each row is one.
CREATE OR REPLACE PROCEDURE marketplace.undoable(target regclass, unit text DEFAULT NULL, unit_columns text[] DEFAULT '{}')
LANGUAGE plpgsql AS $$
DECLARE
  args text := (SELECT coalesce(string_agg(quote_literal(a), ', '), '') FROM unnest(unit || unit_columns) AS a
                 WHERE unit IS NOT NULL);
BEGIN
  EXECUTE format(
    'CREATE OR REPLACE TRIGGER upload_undo AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW
       WHEN (current_setting(''app.upload_batch'', true) <> '''') EXECUTE FUNCTION marketplace.note_undo(%s)',
    target, args);
END $$;

-- The module's own table: the migration that makes it runs before this procedure is there.
CALL marketplace.undoable('marketplace.health_snapshot');
