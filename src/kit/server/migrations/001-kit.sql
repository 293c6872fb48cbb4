-- The role that the product works as: it owns nothing, so row-level security binds it.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'erp_app') THEN
    CREATE ROLE erp_app NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- two databases of one cluster being created at the same time
END $$;
DO $$
BEGIN
  EXECUTE format('GRANT erp_app TO %I', current_user);
END $$;
GRANT USAGE ON SCHEMA kit TO erp_app;
GRANT SELECT ON kit.migration TO erp_app;

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- The company of the running transaction. Unset is an error, never "all rows".
CREATE FUNCTION kit.company() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT current_setting('app.company_id')::uuid $$;

-- How far the product's clock is ahead of the machine's, as the transaction was told (src/kit/server/clock.ts). CASE and
-- not coalesce(): the planner takes that for something that could leak rows, and then finds nothing by index.
CREATE FUNCTION kit.clock_shift() RETURNS interval LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN current_setting('app.clock_shift', true) > '' THEN current_setting('app.clock_shift')::interval
               ELSE interval '0' END $$;

-- Now by the product's clock: one instant for a whole transaction.
CREATE FUNCTION kit.now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT now() + kit.clock_shift() $$;

-- Now by the product's clock, going on within a transaction.
CREATE FUNCTION kit.instant() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS
$$ SELECT clock_timestamp() + kit.clock_shift() $$;

-- The day that companies count by, wherever server and database stand.
CREATE FUNCTION kit.today() RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT (kit.now() AT TIME ZONE 'Asia/Shanghai')::date $$;

-- Opens a schema to the application role; what is in it is granted table by table.
CREATE PROCEDURE kit.module_schema(schema_name text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE SCHEMA %I', schema_name);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO erp_app', schema_name);
END $$;

-- Makes a table a tenant's: forced row-level security, rights for the application role.
-- `open_to_system` lets transactions of no company (log-in, schedulers) see all rows of this one table.
CREATE PROCEDURE kit.tenant_table(target regclass, open_to_system boolean DEFAULT false, append_only boolean DEFAULT false)
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY company ON %s USING (company_id = (SELECT kit.company())) WITH CHECK (company_id = (SELECT kit.company()))', target);
  IF open_to_system THEN
    EXECUTE format('CREATE POLICY system ON %s USING ((SELECT current_setting(''app.scope'', true)) = ''system'')', target);
  END IF;
  IF append_only THEN
    EXECUTE format('GRANT SELECT, INSERT, MAINTAIN ON %s TO erp_app', target);
  ELSE
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE, MAINTAIN ON %s TO erp_app', target);
  END IF;
END $$;

-- Enqueues a background job in the caller's transaction. The queue's own tables are closed to the application role.
CREATE FUNCTION kit.add_job(identifier text, payload json, queue_name text, run_at timestamptz, job_key text, priority int, max_attempts int, job_key_mode text)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT graphile_worker.add_job(identifier, payload, queue_name, run_at, max_attempts, job_key, priority, NULL, job_key_mode);
$$;
REVOKE ALL ON FUNCTION kit.add_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION kit.add_job TO erp_app;

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
