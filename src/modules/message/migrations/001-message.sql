CALL kit.module_schema('message');

-- What was said, once per company, however many people it is for.
CREATE TABLE message.message (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- 1 announcement, 2 reminder, 3 private
  ftype smallint NOT NULL CHECK (ftype BETWEEN 1 AND 3),
  title text NOT NULL CHECK (length(title) <= 100),
  -- HTML that was sanitised before it came here
  content text NOT NULL DEFAULT '',
  event text,
  -- asks the reader to examine the document
  approval boolean NOT NULL DEFAULT false,
  document_type text,
  document_id text,
  dedupe_key text,
  created_at timestamptz NOT NULL DEFAULT kit.instant(),
  created_by uuid,
  created_by_name text,
  expires_at timestamptz,
  -- announcements only from here on
  prefix text,
  timely boolean NOT NULL DEFAULT false,
  audience jsonb,
  -- copy of an announcement of the platform, under the id that it has there
  platform boolean NOT NULL DEFAULT false,
  retracted_at timestamptz,
  retracted_by_name text,
  -- taken out of all inboxes: retracted, or its time was over
  ended_at timestamptz,
  read_count int NOT NULL DEFAULT 0,
  PRIMARY KEY (company_id, id)
);
CREATE UNIQUE INDEX message_dedupe ON message.message (company_id, dedupe_key) WHERE dedupe_key IS NOT NULL;
CREATE INDEX message_announcement ON message.message (company_id, id) WHERE ftype = 1 AND ended_at IS NULL;
CREATE INDEX message_published ON message.message (company_id, id) WHERE ftype = 1;
CREATE INDEX message_platform ON message.message (id) WHERE platform;
CREATE INDEX message_expiry ON message.message (expires_at) WHERE ended_at IS NULL AND expires_at IS NOT NULL;
-- Messages that ask people to examine a document, found by the document when it has been.
CREATE INDEX message_examine ON message.message (company_id, document_id) WHERE approval;
CREATE INDEX message_age ON message.message (created_at);
CALL kit.tenant_table('message.message', open_to_system => true);

-- Whose message it is. The rows of an announcement are made when its reader comes by, not when it is published.
CREATE TABLE message.inbox (
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  message_id uuid NOT NULL,
  ftype smallint NOT NULL,
  is_read boolean NOT NULL DEFAULT false,
  read_at timestamptz,
  PRIMARY KEY (company_id, user_id, message_id),
  FOREIGN KEY (company_id, message_id) REFERENCES message.message ON DELETE CASCADE,
  FOREIGN KEY (company_id, user_id) REFERENCES identity.member
);
CREATE INDEX inbox_type ON message.inbox (company_id, user_id, ftype, message_id);
CREATE INDEX inbox_unread ON message.inbox (company_id, user_id, ftype, message_id) WHERE NOT is_read;
CREATE INDEX inbox_message ON message.inbox (company_id, message_id);
CREATE INDEX inbox_read ON message.inbox (read_at) WHERE is_read;
CALL kit.tenant_table('message.inbox', open_to_system => true);

-- Unread messages by type, kept by the triggers of message.inbox in the transaction of whatever changes them.
CREATE TABLE message.counter (
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  ftype smallint NOT NULL,
  unread int NOT NULL DEFAULT 0 CHECK (unread >= 0),
  PRIMARY KEY (company_id, user_id, ftype)
) WITH (fillfactor = 70);
CALL kit.tenant_table('message.counter', open_to_system => true);

-- How far the company's announcements have come to a reader.
CREATE TABLE message.reader (
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  seen_id uuid,
  PRIMARY KEY (company_id, user_id),
  FOREIGN KEY (company_id, user_id) REFERENCES identity.member
) WITH (fillfactor = 70);
CALL kit.tenant_table('message.reader');

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
