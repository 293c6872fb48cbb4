-- A table that somebody uploads: checked whole, kept here, written by one statement per table or not at all.
CREATE TABLE product.table_import (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  number text NOT NULL,
  kind text NOT NULL,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'posted')),
  version int NOT NULL DEFAULT 0,
  file_name text NOT NULL,
  file_id uuid,
  sha256 text NOT NULL,
  row_count int NOT NULL,
  changed int,
  created_by uuid,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, number),
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CALL kit.tenant_table('product.table_import');

-- Rows of a checked file; values in the order of the columns of its kind, as they will be written.
CREATE TABLE product.table_import_line (
  company_id uuid NOT NULL,
  import_id uuid NOT NULL,
  line_no int NOT NULL,
  cells text[] NOT NULL,
  PRIMARY KEY (company_id, import_id, line_no),
  FOREIGN KEY (company_id, import_id) REFERENCES product.table_import
);
CALL kit.tenant_table('product.table_import_line');
