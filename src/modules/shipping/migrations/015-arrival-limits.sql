-- Beside the days for claims: within how many days of its making a shipment must arrive, from the same country and from
-- abroad, and within how many of the first arrival of its plan. Null: the marketplace sets no such limit.
ALTER TABLE shipping.claim_window
  ADD COLUMN domestic_days int CHECK (domestic_days BETWEEN 1 AND 730),
  ADD COLUMN abroad_days int CHECK (abroad_days BETWEEN 1 AND 730),
  ADD COLUMN after_first_days int CHECK (after_first_days BETWEEN 1 AND 730);
UPDATE shipping.claim_window SET domestic_days = 45, abroad_days = 75, after_first_days = 30
 WHERE marketplace_id = 'ATVPDKIKX0DER';
