-- 海外仓备货单: a document between two warehouses whose pieces travel in boxes.

ALTER TABLE warehouse.document DROP CONSTRAINT document_kind_check;
ALTER TABLE warehouse.document ADD CONSTRAINT document_kind_check
  CHECK (kind IN ('inbound', 'outbound', 'transfer', 'exchange', 'stocktake', 'assembly', 'overseas'));
ALTER TABLE warehouse.document
  -- the carrier's product, as people call it
  ADD COLUMN channel text NOT NULL DEFAULT '' CHECK (length(channel) <= 100),
  -- leaves the port, reaches the port
  ADD COLUMN departed_on date,
  ADD COLUMN landed_on date;

CREATE TABLE warehouse.document_box (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  box_no int NOT NULL CHECK (box_no > 0),
  -- cm and kg, null where nobody measured it
  length numeric(8, 2) CHECK (length > 0),
  width numeric(8, 2) CHECK (width > 0),
  height numeric(8, 2) CHECK (height > 0),
  weight numeric(10, 3) CHECK (weight > 0),
  PRIMARY KEY (company_id, document_id, box_no),
  FOREIGN KEY (company_id, document_id) REFERENCES warehouse.document ON DELETE CASCADE
);
CALL kit.tenant_table('warehouse.document_box');
CALL kit.data_scope_of('warehouse.document_box', 'warehouse.document', '{document_id}', '{id}');

CREATE TABLE warehouse.document_box_item (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  box_no int NOT NULL,
  line_id uuid NOT NULL,
  qty int NOT NULL CHECK (qty > 0),
  PRIMARY KEY (company_id, document_id, box_no, line_id),
  FOREIGN KEY (company_id, document_id, box_no) REFERENCES warehouse.document_box ON DELETE CASCADE,
  FOREIGN KEY (company_id, line_id) REFERENCES warehouse.document_line ON DELETE CASCADE
);
CREATE INDEX document_box_item_line ON warehouse.document_box_item (company_id, line_id);
CALL kit.tenant_table('warehouse.document_box_item');
CALL kit.data_scope_of('warehouse.document_box_item', 'warehouse.document', '{document_id}', '{id}');
