-- Ends the transaction with what a person may read.
CREATE OR REPLACE FUNCTION accounting.refuse(code text, message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = code, MESSAGE = message;
END $$;

CALL kit.keep_function('accounting.refuse(text,text)', 'erp_books');
