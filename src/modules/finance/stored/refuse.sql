-- Ends the posting with what a person may read. `detail` is for the program.
CREATE OR REPLACE FUNCTION finance.refuse(code text, message text, detail jsonb DEFAULT '{}') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message, DETAIL = detail::text;
END $$;

CALL kit.keep_function('finance.refuse(text,text,jsonb)', 'erp_money');
