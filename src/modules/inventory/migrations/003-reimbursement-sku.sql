-- What was paid for one SKU of a seller, e.g. to match it with what he claimed.
CREATE INDEX reimbursement_sku ON inventory.reimbursement (company_id, account_id, seller_sku);
