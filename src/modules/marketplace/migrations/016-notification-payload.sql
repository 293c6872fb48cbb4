-- What a notification says of an order holds the buyer's postal code, and nothing is read from it: it is not kept.
ALTER TABLE marketplace.notification DROP COLUMN payload;
