-- What people want to be in a shipment's boxes instead, once its transport was confirmed; null while nothing is to change.
ALTER TABLE shipping.inbound_shipment ADD COLUMN change jsonb;
-- What Amazon calls a box among those of its plan: a change names it, so that it keeps its number.
ALTER TABLE shipping.box ADD COLUMN package_id text;
