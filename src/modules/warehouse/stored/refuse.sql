-- Ends the posting with what a person may read. `code` is one of server/ledger/refusal.ts, `detail` is for the program.
CREATE OR REPLACE FUNCTION warehouse.refuse(code text, message text, detail jsonb DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message, DETAIL = detail::text;
END $$;

CALL kit.keep_function('warehouse.refuse(text,text,jsonb)', 'erp_ledger');
