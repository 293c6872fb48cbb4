-- By what share more than ordered may come from the supplier; null: as the company has it.
ALTER TABLE supplier.supplier ADD COLUMN receive_tolerance numeric(5, 4) CHECK (receive_tolerance BETWEEN 0 AND 1);
