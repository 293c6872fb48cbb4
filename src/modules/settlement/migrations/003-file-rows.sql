-- Detail rows of the file as it came; unknown of those that were loaded before.
ALTER TABLE settlement.settlement ADD COLUMN file_rows int;
