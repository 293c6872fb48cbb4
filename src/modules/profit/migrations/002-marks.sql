-- A mark is a row of its own, however often a day is marked: whoever marks waits for nobody, and a count takes off those
-- that it saw. Rows that were shared made two transactions wait for each other that marked two days in either order.
ALTER TABLE profit.dirty DROP CONSTRAINT dirty_pkey;
ALTER TABLE profit.dirty ADD COLUMN id uuid NOT NULL DEFAULT uuidv7();
ALTER TABLE profit.dirty ADD PRIMARY KEY (company_id, id);
CREATE INDEX dirty_day ON profit.dirty (company_id, account_id, marketplace_id, date);
