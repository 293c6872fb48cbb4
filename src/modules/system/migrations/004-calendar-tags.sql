-- Days that somebody decided about. A day without a row of the company is what the operator's company says of it, and
-- without that what the legal calendar says.
CREATE TABLE system.holiday (
  company_id uuid NOT NULL,
  day date NOT NULL,
  -- work: 工作日, weekend: 周末, holiday: 节日, makeup: 调休, a weekend that is worked
  kind text NOT NULL CHECK (kind IN ('work', 'weekend', 'holiday', 'makeup')),
  name text NOT NULL DEFAULT '',
  -- set by a person; kept when the year is generated again
  by_hand boolean NOT NULL DEFAULT false,
  PRIMARY KEY (company_id, day)
);
CALL kit.tenant_table('system.holiday');
CREATE POLICY platform ON system.holiday FOR SELECT USING (company_id = '00000000-0000-0000-0000-000000000000');

CREATE TABLE system.tag_group (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  sort int NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CALL kit.tenant_table('system.tag_group');

CREATE TABLE system.tag (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  group_id uuid NOT NULL,
  name text NOT NULL,
  color text NOT NULL DEFAULT 'info' CHECK (color IN ('info', 'blue', 'success', 'warning', 'danger')),
  sort int NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, group_id, name),
  FOREIGN KEY (company_id, group_id) REFERENCES system.tag_group
);
CALL kit.tenant_table('system.tag');
