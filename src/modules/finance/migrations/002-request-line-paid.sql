-- What is paid of each line of a request: what is left of it is what the request still holds of the debt that it names.
ALTER TABLE finance.payment_request_line ADD COLUMN paid_amount numeric(18, 4) NOT NULL DEFAULT 0;
-- Lines that were paid before were paid in their order.
UPDATE finance.payment_request_line AS l
   SET paid_amount = greatest(0, least(l.amount, r.paid_amount - before.amount))
  FROM finance.payment_request AS r,
       (SELECT company_id, request_id, line_no,
               sum(amount) OVER (PARTITION BY company_id, request_id ORDER BY line_no) - amount AS amount
          FROM finance.payment_request_line) AS before
 WHERE r.company_id = l.company_id AND r.id = l.request_id AND r.paid_amount > 0
   AND (before.company_id, before.request_id, before.line_no) = (l.company_id, l.request_id, l.line_no);
ALTER TABLE finance.payment_request_line ADD CHECK (paid_amount BETWEEN 0 AND amount);
-- What requests under way hold is asked whenever somebody asks to be paid, however many requests there were before.
CREATE INDEX payment_request_live ON finance.payment_request (company_id, party_id)
  WHERE state IN ('submitted', 'approved', 'partly');
