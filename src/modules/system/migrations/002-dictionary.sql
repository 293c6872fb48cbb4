-- Dictionaries. Rows of the operator's company (all zeros) are everybody's to read and the operator's to change; a
-- company lays its own rows over them, item by item.
CREATE TABLE system.dict (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  code text NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  sort int NOT NULL DEFAULT 0,
  remark text NOT NULL DEFAULT '',
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, code)
);
CALL kit.tenant_table('system.dict');
CREATE POLICY platform ON system.dict FOR SELECT USING (company_id = '00000000-0000-0000-0000-000000000000');

CREATE TABLE system.dict_item (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- by code, because a company's item may belong to a dictionary of the platform
  dict_code text NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  item_type text NOT NULL DEFAULT 'text' CHECK (item_type IN ('text', 'number', 'boolean')),
  -- colour of the tag that shows it, if any
  list_class text NOT NULL DEFAULT '',
  css_class text NOT NULL DEFAULT '',
  sort int NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  remark text NOT NULL DEFAULT '',
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, dict_code, value)
);
CALL kit.tenant_table('system.dict_item');
CREATE POLICY platform ON system.dict_item FOR SELECT USING (company_id = '00000000-0000-0000-0000-000000000000');
