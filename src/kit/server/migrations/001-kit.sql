-- Who did what to which record, written in the business transaction and never changed.
CREATE TABLE kit.audit (
  company_id uuid NOT NULL,
  -- Holds the time at which it was written, by the product's clock: days of the log are found by it.
  id uuid NOT NULL DEFAULT uuidv7(kit.clock_shift()),
  at timestamptz NOT NULL DEFAULT kit.instant(),
  actor_id uuid,
  actor_name text,
  ip text,
  action text NOT NULL,
  resource text NOT NULL,
  resource_id text,
  before jsonb,
  after jsonb,
  request_id text,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX audit_resource ON kit.audit (company_id, resource, resource_id);
CALL kit.tenant_table('kit.audit', append_only => true);

-- First answer of every mutating call that carries a key; a repeated call gets it again.
CREATE TABLE kit.idempotency (
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL,
  endpoint text NOT NULL,
  body_hash text NOT NULL,
  answer jsonb,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, user_id, key)
);
CREATE INDEX idempotency_age ON kit.idempotency (created_at);
CALL kit.tenant_table('kit.idempotency', open_to_system => true);

-- Document numbers: one row per prefix, locked while a number is taken, so numbers have no gaps or doubles.
CREATE TABLE kit.sequence (
  company_id uuid NOT NULL,
  prefix text NOT NULL,
  last int NOT NULL,
  PRIMARY KEY (company_id, prefix)
);
CALL kit.tenant_table('kit.sequence');

-- What happened to a document, in order: transitions, comments, notes of jobs.
CREATE TABLE kit.timeline (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  document_type text NOT NULL,
  document_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.instant(),
  kind text NOT NULL CHECK (kind IN ('transition', 'comment', 'note')),
  actor_id uuid,
  actor_name text,
  from_state text,
  to_state text,
  title text NOT NULL,
  body text,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX timeline_document ON kit.timeline (company_id, document_type, document_id, id);
CALL kit.tenant_table('kit.timeline', append_only => true);

-- Stored files: raw reports, uploads, results of exports. Bytes lie on disk or S3 by content hash.
CREATE TABLE kit.file (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  media_type text NOT NULL,
  size bigint NOT NULL,
  sha256 text NOT NULL,
  purpose text NOT NULL,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  expires_at timestamptz,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX file_hash ON kit.file (company_id, sha256);
CREATE INDEX file_expiry ON kit.file (expires_at) WHERE expires_at IS NOT NULL;
CALL kit.tenant_table('kit.file', open_to_system => true);

CREATE TABLE kit.attachment (
  company_id uuid NOT NULL,
  document_type text NOT NULL,
  document_id uuid NOT NULL,
  file_id uuid NOT NULL,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, document_type, document_id, file_id),
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CALL kit.tenant_table('kit.attachment');

-- Long work that a person started: progress, cancel, result file.
CREATE TABLE kit.task (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  type text NOT NULL,
  title text NOT NULL,
  payload jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  progress int NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  detail text,
  error text,
  file_id uuid,
  result jsonb,
  attempts int NOT NULL DEFAULT 0,
  cancel_requested boolean NOT NULL DEFAULT false,
  created_by uuid,
  created_by_name text,
  -- What the starter of the task could see: the task sees no more.
  data_scope jsonb,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  started_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CREATE INDEX task_mine ON kit.task (company_id, created_by, id DESC);
CALL kit.tenant_table('kit.task', open_to_system => true);

-- Live workers; jobs of one that stopped reporting are given to others.
CREATE TABLE kit.worker (
  id text PRIMARY KEY,
  -- the names under which this process locks jobs in the queue
  locks_as text[] NOT NULL DEFAULT '{}',
  seen_at timestamptz NOT NULL DEFAULT kit.now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON kit.worker TO erp_app;

-- What would have been sent where no mail server or no SMS provider is set up, and what goes by channels that nobody
-- delivers yet. Only the system reads it: it may hold codes of people who belong to no company yet.
CREATE TABLE kit.outbox (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT kit.instant(),
  company_id uuid,
  channel text NOT NULL CHECK (channel IN ('sms', 'email', 'wechat', 'feishu', 'dingtalk')),
  target text NOT NULL,
  purpose text NOT NULL,
  subject text,
  text text NOT NULL
);
CREATE INDEX outbox_target ON kit.outbox (target, id DESC);
CREATE INDEX outbox_age ON kit.outbox (at);
GRANT SELECT, INSERT, DELETE ON kit.outbox TO erp_app;
ALTER TABLE kit.outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE kit.outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY system ON kit.outbox USING ((SELECT current_setting('app.scope', true)) = 'system');
