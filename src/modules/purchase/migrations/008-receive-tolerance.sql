-- By what share more than ordered may come of the line; null: as the supplier, else the company, has it.
ALTER TABLE purchase.order_line ADD COLUMN receive_tolerance numeric(5, 4) CHECK (receive_tolerance BETWEEN 0 AND 1);
