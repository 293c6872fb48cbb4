CALL kit.module_schema('approval');

-- Flows of a kind of document. What they do stands in their versions.
CREATE TABLE approval.flow (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  doc_type text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  -- whom it is for: everybody, or documents of these departments, stores, warehouses
  scope text NOT NULL DEFAULT 'company' CHECK (scope IN ('company', 'department', 'store', 'warehouse')),
  scope_ids uuid[] NOT NULL DEFAULT '{}',
  -- of two flows with the same kind of scope the greater one is taken
  priority int NOT NULL DEFAULT 0,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'published', 'disabled')),
  -- what is being worked on; the published versions never change
  draft jsonb NOT NULL,
  published_no int,
  version int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, doc_type, name)
);
CALL kit.tenant_table('approval.flow');

CREATE TABLE approval.flow_version (
  company_id uuid NOT NULL,
  flow_id uuid NOT NULL,
  no int NOT NULL CHECK (no > 0),
  definition jsonb NOT NULL,
  note text NOT NULL DEFAULT '' CHECK (length(note) <= 200),
  published_at timestamptz NOT NULL DEFAULT kit.now(),
  published_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, flow_id, no),
  FOREIGN KEY (company_id, flow_id) REFERENCES approval.flow ON DELETE CASCADE
);
CALL kit.tenant_table('approval.flow_version', append_only => true);

-- How a company handles a kind of document; no row: its documents are approved without flows.
CREATE TABLE approval.setting (
  company_id uuid NOT NULL,
  doc_type text NOT NULL,
  enabled boolean NOT NULL DEFAULT false,
  -- documents for which this holds need nobody's approval
  exempt jsonb,
  self_approve boolean NOT NULL DEFAULT false,
  dedup text NOT NULL DEFAULT 'all' CHECK (dedup IN ('none', 'adjacent', 'all')),
  withdraw text NOT NULL DEFAULT 'untouched' CHECK (withdraw IN ('untouched', 'always')),
  -- ratio by which an amount may rise after the approval
  tolerance numeric(9, 6) NOT NULL DEFAULT 0 CHECK (tolerance >= 0),
  batch boolean NOT NULL DEFAULT true,
  admins uuid[] NOT NULL DEFAULT '{}',
  delegation_days int NOT NULL DEFAULT 30 CHECK (delegation_days BETWEEN 1 AND 90),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, doc_type)
);
CALL kit.tenant_table('approval.setting');

-- One approval of one document, from its submission to the end.
CREATE TABLE approval.instance (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  doc_type text NOT NULL,
  doc_id uuid NOT NULL,
  number text NOT NULL,
  summary text NOT NULL,
  place text NOT NULL DEFAULT '',
  facts jsonb NOT NULL DEFAULT '[]',
  amount numeric(24, 4),
  currency char(3),
  -- in the company's currency, by the rate of the day of submission
  amount_base numeric(24, 2),
  -- frozen at the submission: conditions read nothing else
  vars jsonb NOT NULL,
  people jsonb NOT NULL DEFAULT '{}',
  doc_hash text NOT NULL,
  -- null where no flow was needed
  flow_id uuid,
  flow_no int,
  flow_name text NOT NULL DEFAULT '',
  definition jsonb NOT NULL,
  -- counts the submissions of the document
  submission int NOT NULL DEFAULT 1,
  state text NOT NULL CHECK (state IN ('running', 'suspended', 'approved', 'rejected', 'returned', 'withdrawn', 'terminated')),
  -- where the flow stands, as its interpreter keeps it, without the tasks
  position jsonb NOT NULL,
  -- what it takes to take the last agreement back: the position and the tasks' states before it
  undo jsonb,
  current_nodes text NOT NULL DEFAULT '',
  initiator_id uuid,
  initiator_name text NOT NULL DEFAULT '',
  submitted_at timestamptz NOT NULL DEFAULT kit.now(),
  entered_at timestamptz NOT NULL DEFAULT kit.now(),
  finished_at timestamptz,
  version int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX instance_open ON approval.instance (company_id, doc_type, doc_id) WHERE state IN ('running', 'suspended');
CREATE INDEX instance_document ON approval.instance (company_id, doc_type, doc_id, id);
CREATE INDEX instance_initiator ON approval.instance (company_id, initiator_id, id);
CREATE INDEX instance_flow ON approval.instance (company_id, flow_id) WHERE state IN ('running', 'suspended');
CALL kit.tenant_table('approval.instance');

CREATE TABLE approval.task (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  instance_id uuid NOT NULL,
  no int NOT NULL,
  node_key text NOT NULL,
  node_name text NOT NULL,
  visit int NOT NULL,
  round int NOT NULL,
  seq int NOT NULL,
  assignee_id uuid NOT NULL,
  assignee_name text NOT NULL,
  -- whose task it is, where the assignee stands in for somebody
  principal_id uuid,
  principal_name text,
  kind text NOT NULL CHECK (kind IN ('node', 'before', 'after', 'parallel')),
  source_no int,
  state text NOT NULL CHECK (state IN ('waiting', 'pending', 'approved', 'auto', 'rejected', 'returned', 'transferred', 'cancelled')),
  -- from when it can be acted on
  begun_at timestamptz,
  remind_at timestamptz,
  due_at timestamptz,
  on_due text CHECK (on_due IN ('remind', 'leader', 'approve', 'reject')),
  -- 1: reminded at half of the time, 2: dealt with at its end
  noticed int NOT NULL DEFAULT 0,
  acted_at timestamptz,
  comment text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, instance_id, no),
  FOREIGN KEY (company_id, instance_id) REFERENCES approval.instance ON DELETE CASCADE
);
-- what waits for somebody, in the order of its urgency
CREATE INDEX task_desk ON approval.task (company_id, assignee_id, due_at, id) WHERE state = 'pending';
CREATE INDEX task_done ON approval.task (company_id, assignee_id, acted_at DESC) WHERE acted_at IS NOT NULL;
CREATE INDEX task_due ON approval.task ((CASE noticed WHEN 0 THEN remind_at ELSE due_at END)) WHERE state = 'pending' AND noticed < 2;
CALL kit.tenant_table('approval.task', open_to_system => true);

CREATE TABLE approval.copy (
  company_id uuid NOT NULL,
  instance_id uuid NOT NULL,
  user_id uuid NOT NULL,
  node_name text NOT NULL DEFAULT '',
  at timestamptz NOT NULL DEFAULT kit.now(),
  read_at timestamptz,
  PRIMARY KEY (company_id, instance_id, user_id),
  FOREIGN KEY (company_id, instance_id) REFERENCES approval.instance ON DELETE CASCADE
);
CREATE INDEX copy_reader ON approval.copy (company_id, user_id, at DESC);
CALL kit.tenant_table('approval.copy');

-- Every act, never changed.
CREATE TABLE approval.log (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  instance_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.instant(),
  action text NOT NULL,
  actor_id uuid,
  actor_name text NOT NULL DEFAULT '',
  -- for whom the actor stood in
  principal_name text,
  node_name text NOT NULL DEFAULT '',
  comment text NOT NULL DEFAULT '',
  detail text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, instance_id) REFERENCES approval.instance ON DELETE CASCADE
);
CREATE INDEX log_instance ON approval.log (company_id, instance_id, id);
CALL kit.tenant_table('approval.log', append_only => true);

CREATE TABLE approval.delegation (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  from_id uuid NOT NULL,
  from_name text NOT NULL,
  to_id uuid NOT NULL,
  to_name text NOT NULL,
  -- empty: every kind
  doc_types text[] NOT NULL DEFAULT '{}',
  -- in the company's currency; null: any amount
  amount_max numeric(24, 2),
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  CHECK (ends_at >= starts_at),
  CHECK (from_id <> to_id)
);
CREATE INDEX delegation_from ON approval.delegation (company_id, from_id, ends_at) WHERE revoked_at IS NULL;
CALL kit.tenant_table('approval.delegation');

-- People whom the maker of a document picked for the steps that leave it to him.
CREATE TABLE approval.choice (
  company_id uuid NOT NULL,
  doc_type text NOT NULL,
  doc_id uuid NOT NULL,
  node_key text NOT NULL,
  people uuid[] NOT NULL,
  PRIMARY KEY (company_id, doc_type, doc_id, node_key)
);
CALL kit.tenant_table('approval.choice');
