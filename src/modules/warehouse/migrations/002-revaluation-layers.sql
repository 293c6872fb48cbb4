-- Which layers took what of a value that came late: with it the parts of a layer's cost can be told for every moment. CNY.
CREATE TABLE warehouse.revaluation_layer (
  company_id uuid NOT NULL,
  posting_id uuid NOT NULL,
  layer_id uuid NOT NULL,
  component text NOT NULL CHECK (component IN
    ('purchase', 'localFreight', 'firstLeg', 'duty', 'processing', 'placement', 'other')),
  amount numeric(18, 4) NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (company_id, posting_id, layer_id),
  FOREIGN KEY (company_id, posting_id) REFERENCES warehouse.stock_posting,
  FOREIGN KEY (company_id, layer_id) REFERENCES warehouse.cost_layer
);
CREATE INDEX revaluation_layer_layer ON warehouse.revaluation_layer (company_id, layer_id);
CALL kit.tenant_table('warehouse.revaluation_layer', append_only => true);
REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON warehouse.revaluation_layer FROM erp_app;
GRANT SELECT, INSERT ON warehouse.revaluation_layer TO erp_ledger;
