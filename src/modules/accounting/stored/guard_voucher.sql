-- What the application may do with vouchers: write drafts in open months, move them on, and never touch one that is posted,
-- reversed or void. The step to 'posted' is the posting.
CREATE OR REPLACE FUNCTION accounting.guard_voucher() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'draft' THEN
      RAISE EXCEPTION 'a voucher begins as a draft' USING ERRCODE = 'GL099';
    END IF;
    PERFORM accounting.require_open(NEW.company_id, NEW.month, NEW.type);
    RETURN NEW;
  END IF;
  IF OLD.state IN ('posted', 'reversed', 'void') THEN
    PERFORM accounting.refuse('GL005', format('凭证 %s 已过账或作废，不能修改；请红字冲销', OLD.number));
  END IF;
  IF (NEW.company_id, NEW.id, NEW.type, NEW.month, NEW.seq, NEW.number, NEW.reversal_of, NEW.idempotency_key)
     IS DISTINCT FROM (OLD.company_id, OLD.id, OLD.type, OLD.month, OLD.seq, OLD.number, OLD.reversal_of, OLD.idempotency_key) THEN
    PERFORM accounting.refuse('GL005', '凭证字和会计期间在编号后不能更改，请作废后重新录入');
  END IF;
  IF NEW.state = 'posted' THEN
    IF OLD.state <> 'approved' AND NEW.reversal_of IS NULL THEN
      PERFORM accounting.refuse('GL006', format('凭证 %s 未审核，不能过账', NEW.number));
    END IF;
    PERFORM accounting.post(NEW);
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER guard BEFORE INSERT OR UPDATE ON accounting.voucher
  FOR EACH ROW WHEN (current_user = 'erp_app') EXECUTE FUNCTION accounting.guard_voucher();

CALL kit.keep_function('accounting.guard_voucher()', 'erp_books');
