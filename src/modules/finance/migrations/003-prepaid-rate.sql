-- CNY for one unit on the day that it was paid in advance: goods that it pays for cost so much. Null in CNY, and for credits.
ALTER TABLE finance.open_item ADD COLUMN rate numeric(20, 10) CHECK (rate > 0);
