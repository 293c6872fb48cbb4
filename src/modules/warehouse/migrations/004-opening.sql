-- Opening stock that was read from a file and waits for the yes of whoever sent it.
CREATE TABLE warehouse.opening_import (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  file_name text NOT NULL,
  row_count int NOT NULL,
  posted_at timestamptz,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number)
);
CALL kit.tenant_table('warehouse.opening_import');

CREATE TABLE warehouse.opening_line (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line_no int NOT NULL,
  product_id uuid NOT NULL,
  warehouse_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  unit_cost numeric(18, 4) NOT NULL CHECK (unit_cost >= 0),
  first_day date NOT NULL,
  PRIMARY KEY (company_id, import_id, line_no),
  FOREIGN KEY (company_id, import_id) REFERENCES warehouse.opening_import
);
CALL kit.tenant_table('warehouse.opening_line');
