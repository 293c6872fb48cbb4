-- 箱型: cartons that the company packs into; cm and kg.
CREATE TABLE shipping.box_template (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60 AND name = btrim(name)),
  length numeric(8, 2) NOT NULL CHECK (length > 0),
  width numeric(8, 2) NOT NULL CHECK (width > 0),
  height numeric(8, 2) NOT NULL CHECK (height > 0),
  -- of the empty carton
  tare numeric(10, 3) NOT NULL DEFAULT 0 CHECK (tare >= 0),
  -- what it may weigh when it is full; null: as much as the marketplace takes
  max_weight numeric(10, 3) CHECK (max_weight > tare),
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX box_template_name ON shipping.box_template (company_id, lower(name));
CALL kit.tenant_table('shipping.box_template');

-- How strictly the marketplaces' rules of boxes are kept.
CREATE TABLE shipping.packing_setting (
  company_id uuid NOT NULL,
  box_rules text NOT NULL CHECK (box_rules IN ('WARN', 'BLOCK')),
  PRIMARY KEY (company_id)
);
CALL kit.tenant_table('shipping.packing_setting');

ALTER TABLE shipping.box
  ADD COLUMN template_id uuid,
  -- the carton is shut; nothing goes in or out before somebody opens it
  ADD COLUMN closed_at timestamptz,
  -- its carton label was printed as it is now; any change of the box takes it back
  ADD COLUMN label_printed_at timestamptz,
  ADD CONSTRAINT box_template_fkey FOREIGN KEY (company_id, template_id)
    REFERENCES shipping.box_template ON DELETE SET NULL (template_id);
CREATE INDEX box_of_template ON shipping.box (company_id, template_id) WHERE template_id IS NOT NULL;

-- What packers did with a scanner, once per id that their device gave it.
CREATE TABLE shipping.box_scan (
  company_id uuid NOT NULL,
  order_id uuid NOT NULL,
  client_id text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 100),
  box_no int NOT NULL CHECK (box_no > 0),
  -- null: the box was added
  line_id uuid,
  -- pieces put in, below 0 taken out
  qty int NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  by_name text NOT NULL,
  PRIMARY KEY (company_id, order_id, client_id),
  FOREIGN KEY (company_id, order_id) REFERENCES shipping.ship_order ON DELETE CASCADE
);
CALL kit.tenant_table('shipping.box_scan', append_only => true);
CALL kit.data_scope_of('shipping.box_scan', 'shipping.ship_order', '{order_id}', '{id}');
