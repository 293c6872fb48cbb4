-- A label that was bought at the marketplace confirms a package by itself, under a number of the marketplace's own.
ALTER TABLE "order".shipment ALTER COLUMN reference DROP NOT NULL;
