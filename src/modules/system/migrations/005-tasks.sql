-- When a registered handler runs. Those of the product itself stand under the operator's company (all zeros).
CREATE TABLE system.schedule (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- names the handler
  key text NOT NULL,
  cron text NOT NULL,
  time_zone text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  -- smaller runs earlier when many are due at once
  priority int NOT NULL DEFAULT 0,
  description text NOT NULL DEFAULT '',
  next_run_at timestamptz,
  version int NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_by_name text,
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, key)
);
CREATE INDEX schedule_due ON system.schedule (next_run_at) WHERE is_enabled;
CALL kit.tenant_table('system.schedule', open_to_system => true);

-- One row per firing: its key is what keeps two processes from running one firing twice.
CREATE TABLE system.schedule_run (
  company_id uuid NOT NULL,
  schedule_id uuid NOT NULL,
  fire_time timestamptz NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  -- who asked for it, where it was not its time
  asked_by_name text,
  attempts int NOT NULL DEFAULT 0,
  started_at timestamptz,
  finished_at timestamptz,
  result text,
  PRIMARY KEY (company_id, schedule_id, fire_time),
  FOREIGN KEY (company_id, schedule_id) REFERENCES system.schedule ON DELETE CASCADE
);
CREATE INDEX schedule_run_age ON system.schedule_run (fire_time);
CALL kit.tenant_table('system.schedule_run', open_to_system => true);

-- What happened to a long task, line by line, whoever changes it.
CREATE TABLE system.task_line (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  task_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.instant(),
  state text NOT NULL,
  progress int NOT NULL,
  attempt int NOT NULL,
  text text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, task_id) REFERENCES kit.task ON DELETE CASCADE
);
CREATE INDEX task_line_task ON system.task_line (company_id, task_id, id);
CALL kit.tenant_table('system.task_line', open_to_system => true, append_only => true);

CREATE FUNCTION system.write_task_line() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  latest timestamptz;
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.state = OLD.state AND NEW.attempts = OLD.attempts THEN
    -- Progress is reported twice a second; a line every ten seconds tells the same story.
    SELECT max(at) INTO latest FROM system.task_line WHERE company_id = NEW.company_id AND task_id = NEW.id;
    IF NEW.detail IS NOT DISTINCT FROM OLD.detail OR latest > kit.instant() - interval '10 seconds' THEN
      RETURN NULL;
    END IF;
  END IF;
  INSERT INTO system.task_line (company_id, task_id, state, progress, attempt, text)
    VALUES (NEW.company_id, NEW.id, NEW.state, NEW.progress, NEW.attempts, coalesce(NEW.error, NEW.detail));
  RETURN NULL;
END $$;
CREATE TRIGGER write_task_line AFTER INSERT OR UPDATE OF state, attempts, progress, detail ON kit.task
  FOR EACH ROW EXECUTE FUNCTION system.write_task_line();
