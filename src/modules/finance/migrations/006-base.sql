-- CNY value of amounts in other currencies: what a debt, a deposit or a claim was booked with, and what each entry took of it.
-- Null in CNY, where the amount says it, and for what was booked before values were kept.
ALTER TABLE finance.open_item ADD COLUMN base numeric(18, 4) CHECK (base IS NULL OR (base >= 0 AND currency <> 'CNY'));
ALTER TABLE finance.balance ADD COLUMN base numeric(18, 4);
ALTER TABLE finance.entry ADD COLUMN base numeric(18, 4) CHECK (base IS NULL OR (currency <> 'CNY' AND book <> 'EXCHANGE'));

-- GAIN (汇兑损益): what is lost by paying at another rate than was booked (+), or gained (−), in CNY.
ALTER TABLE finance.entry DROP CONSTRAINT entry_book_check;
ALTER TABLE finance.entry ADD CONSTRAINT entry_book_check CHECK (book IN (
  'ACCOUNT', 'PAYABLE', 'PREPAID', 'RECEIVABLE', 'INCOME', 'EXPENSE', 'GOODS', 'EXCHANGE', 'OPENING', 'GAIN'));

-- Of a payment: CNY for one unit of the request's currency, what was paid in CNY, and what that gained (+) or lost (−).
-- Null where no rate was known, as of expenses out of an account in another currency.
ALTER TABLE finance.payment ADD COLUMN rate numeric(20, 10) CHECK (rate > 0);
ALTER TABLE finance.payment ADD COLUMN base numeric(18, 4) CHECK (base > 0);
ALTER TABLE finance.payment ADD COLUMN gain numeric(18, 4) NOT NULL DEFAULT 0;
UPDATE finance.payment AS p
   SET rate = CASE r.currency WHEN 'CNY' THEN 1 ELSE round(p.paid / p.amount, 10) END,
       base = CASE r.currency WHEN 'CNY' THEN p.amount ELSE p.paid END
  FROM finance.payment_request AS r, finance.cash_account AS a
 WHERE r.company_id = p.company_id AND r.id = p.request_id AND a.company_id = p.company_id AND a.id = p.cash_account_id
   AND 'CNY' IN (r.currency, a.currency);
