-- Entries are written while their voucher is a draft, and by nobody as posted.
CREATE OR REPLACE FUNCTION accounting.guard_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  line accounting.entry := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  paper record;
BEGIN
  SELECT state, number INTO paper FROM accounting.voucher WHERE company_id = line.company_id AND id = line.voucher_id;
  IF paper.state <> 'draft' OR line.ledger_day IS NOT NULL THEN
    PERFORM accounting.refuse('GL005', format('凭证 %s 不是草稿，分录不能修改', paper.number));
  END IF;
  RETURN line;
END $$;

CREATE OR REPLACE TRIGGER guard BEFORE INSERT OR DELETE ON accounting.entry
  FOR EACH ROW WHEN (current_user = 'erp_app') EXECUTE FUNCTION accounting.guard_entry();

CALL kit.keep_function('accounting.guard_entry()', 'erp_books');
