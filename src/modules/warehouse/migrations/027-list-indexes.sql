-- Lists that read and sorted all rows of a company to show the first twenty: who holds stock, the newest first, with or
-- without a state, or of one product; and what is there by the day of its first receipt.
CREATE INDEX reservation_time ON warehouse.reservation (company_id, created_at DESC, id DESC);
CREATE INDEX reservation_state ON warehouse.reservation (company_id, state, created_at DESC, id DESC);
CREATE INDEX reservation_product ON warehouse.reservation (company_id, product_id, created_at DESC);
CREATE INDEX cost_layer_age ON warehouse.cost_layer (company_id, original_date, id) WHERE open;
