-- What a third-party warehouse says that it holds: a mirror of its newest list. It is never written into the ledger; a
-- difference becomes an adjustment that a person asks for.
CREATE TABLE warehouse.external_stock (
  company_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  -- as the other side calls it
  sku text NOT NULL CHECK (length(sku) BETWEEN 1 AND 100),
  -- null while nobody knows which product it is
  product_id uuid,
  available int NOT NULL CHECK (available >= 0),
  -- promised to orders over there
  locked int NOT NULL CHECK (locked >= 0),
  -- announced to them and not there
  in_transit int NOT NULL CHECK (in_transit >= 0),
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, warehouse_id, sku),
  FOREIGN KEY (company_id, warehouse_id) REFERENCES warehouse.warehouse,
  FOREIGN KEY (company_id, product_id) REFERENCES product.local_product
);
CREATE INDEX external_stock_product ON warehouse.external_stock (company_id, warehouse_id, product_id);
CALL kit.tenant_table('warehouse.external_stock');
