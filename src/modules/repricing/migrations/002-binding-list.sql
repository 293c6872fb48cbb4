-- Listings under rules stand by their SKU.
CREATE INDEX binding_sku ON repricing.binding (company_id, seller_sku, id);
