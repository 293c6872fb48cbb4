-- A subject that entries stand on keeps its code, kind and side, and gets no children; a parent is no leaf.
CREATE OR REPLACE FUNCTION accounting.guard_subject() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  above accounting.subject;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW.code, NEW.kind, NEW.direction, NEW.parent_id, NEW.leaf) IS DISTINCT FROM (OLD.code, OLD.kind, OLD.direction, OLD.parent_id, OLD.leaf)
       AND (NOT OLD.leaf OR EXISTS (SELECT FROM accounting.entry WHERE company_id = OLD.company_id AND subject_id = OLD.id)) THEN
      PERFORM accounting.refuse('GL007', format('科目 %s %s 已有下级或凭证，编码、类别和余额方向不能更改', OLD.code, OLD.name));
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.parent_id IS NOT NULL THEN
    -- Entries take a share of the row that they stand on: none is being written meanwhile.
    SELECT * INTO above FROM accounting.subject WHERE company_id = NEW.company_id AND id = NEW.parent_id FOR UPDATE;
    IF EXISTS (SELECT FROM accounting.entry WHERE company_id = NEW.company_id AND subject_id = above.id) THEN
      PERFORM accounting.refuse('GL007', format('科目 %s %s 已有凭证，不能增加下级', above.code, above.name));
    END IF;
    IF above.leaf THEN
      UPDATE accounting.subject SET leaf = false WHERE company_id = NEW.company_id AND id = above.id;
    END IF;
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER guard BEFORE INSERT OR UPDATE ON accounting.subject
  FOR EACH ROW WHEN (current_user = 'erp_app') EXECUTE FUNCTION accounting.guard_subject();

CALL kit.keep_function('accounting.guard_subject()', 'erp_books');
