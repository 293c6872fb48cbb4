-- What would have been sent where no mail server or no SMS provider is set up. Only the system reads it: it may hold
-- codes of people who belong to no company yet.
CREATE TABLE kit.outbox (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT kit.instant(),
  company_id uuid,
  channel text NOT NULL CHECK (channel IN ('sms', 'email')),
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
