-- Keeps the lines of a long task: one for each new state or attempt, and now and then one for its progress.
CREATE OR REPLACE FUNCTION system.write_task_line() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE OR REPLACE TRIGGER write_task_line AFTER INSERT OR UPDATE OF state, attempts, progress, detail ON kit.task
  FOR EACH ROW EXECUTE FUNCTION system.write_task_line();
