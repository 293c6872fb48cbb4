-- A message on its way to one reader by one channel outside the product.
CREATE TABLE message.delivery (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  message_id uuid NOT NULL,
  user_id uuid NOT NULL,
  -- his name at that time
  user_name text,
  channel text NOT NULL CHECK (channel IN ('email', 'sms', 'wechat', 'feishu', 'dingtalk')),
  target text NOT NULL,
  -- queued: waits for its first or next try; sent: handed over; outbox: nobody delivers this channel;
  -- failed: given up; skipped: its time was over, or its reader gone
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'outbox', 'failed', 'skipped')),
  attempts int NOT NULL DEFAULT 0,
  -- what the last try was answered
  error text,
  -- the channel that failed before this one was tried instead
  instead_of text,
  created_at timestamptz NOT NULL DEFAULT kit.instant(),
  finished_at timestamptz,
  PRIMARY KEY (company_id, id),
  -- nobody gets a message twice by one channel
  UNIQUE (company_id, message_id, user_id, channel),
  FOREIGN KEY (company_id, message_id) REFERENCES message.message ON DELETE CASCADE,
  FOREIGN KEY (company_id, user_id) REFERENCES identity.member
);
CREATE INDEX delivery_state ON message.delivery (company_id, state, id);
CREATE INDEX delivery_age ON message.delivery (created_at);
CALL kit.tenant_table('message.delivery', open_to_system => true);
