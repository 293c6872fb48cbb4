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

-- Unread messages by type, kept by the triggers below in the transaction of whatever changes them.
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

-- Adds to counters and tells the page. Rows are locked in the order of their keys, so that two senders with the same
-- readers wait for each other instead of blocking each other.
CREATE PROCEDURE message.count_up(companies uuid[], users uuid[], ftypes smallint[], deltas int[]) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO message.counter AS c (company_id, user_id, ftype, unread)
    SELECT company_id, user_id, ftype, 0 FROM unnest(companies, users, ftypes, deltas) AS d (company_id, user_id, ftype, delta)
     WHERE NOT EXISTS (SELECT FROM message.counter k WHERE k.company_id = d.company_id AND k.user_id = d.user_id AND k.ftype = d.ftype)
     ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
  PERFORM FROM message.counter AS c
     JOIN unnest(companies, users, ftypes) AS d (company_id, user_id, ftype) USING (company_id, user_id, ftype)
     ORDER BY c.company_id, c.user_id, c.ftype FOR UPDATE OF c;
  UPDATE message.counter AS c SET unread = greatest(0, c.unread + d.delta)
    FROM unnest(companies, users, ftypes, deltas) AS d (company_id, user_id, ftype, delta)
   WHERE c.company_id = d.company_id AND c.user_id = d.user_id AND c.ftype = d.ftype;
  PERFORM pg_notify('message', company_id || ':' || user_id)
     FROM (SELECT DISTINCT company_id, user_id FROM unnest(companies, users) AS d (company_id, user_id)) AS who;
END $$;
GRANT EXECUTE ON PROCEDURE message.count_up TO erp_app;

CREATE FUNCTION message.count_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  companies uuid[]; users uuid[]; ftypes smallint[]; deltas int[];
BEGIN
  SELECT array_agg(company_id), array_agg(user_id), array_agg(ftype), array_agg(n::int) INTO companies, users, ftypes, deltas
    FROM (SELECT company_id, user_id, ftype, count(*) AS n FROM added WHERE NOT is_read GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS d;
  IF companies IS NOT NULL THEN CALL message.count_up(companies, users, ftypes, deltas); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_added AFTER INSERT ON message.inbox REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION message.count_added();

CREATE FUNCTION message.count_gone() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  companies uuid[]; users uuid[]; ftypes smallint[]; deltas int[];
BEGIN
  SELECT array_agg(company_id), array_agg(user_id), array_agg(ftype), array_agg(-n::int) INTO companies, users, ftypes, deltas
    FROM (SELECT company_id, user_id, ftype, count(*) AS n FROM gone WHERE NOT is_read GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS d;
  IF companies IS NOT NULL THEN CALL message.count_up(companies, users, ftypes, deltas); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_gone AFTER DELETE ON message.inbox REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION message.count_gone();

CREATE FUNCTION message.count_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  companies uuid[]; users uuid[]; ftypes smallint[]; deltas int[];
BEGIN
  SELECT array_agg(company_id), array_agg(user_id), array_agg(ftype), array_agg(n::int) INTO companies, users, ftypes, deltas
    FROM (SELECT a.company_id, a.user_id, a.ftype, sum(CASE WHEN a.is_read THEN -1 ELSE 1 END) AS n
            FROM after_it a JOIN before_it b USING (company_id, user_id, message_id)
           WHERE a.is_read <> b.is_read GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS d;
  IF companies IS NULL THEN RETURN NULL; END IF;
  CALL message.count_up(companies, users, ftypes, deltas);
  UPDATE message.message m SET read_count = m.read_count + d.n
    FROM (SELECT a.company_id, a.message_id, count(*) AS n
            FROM after_it a JOIN before_it b USING (company_id, user_id, message_id)
           WHERE a.ftype = 1 AND a.is_read AND NOT b.is_read GROUP BY 1, 2 ORDER BY 1, 2) AS d
   WHERE m.company_id = d.company_id AND m.id = d.message_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_changed AFTER UPDATE ON message.inbox REFERENCING OLD TABLE AS before_it NEW TABLE AS after_it
  FOR EACH STATEMENT EXECUTE FUNCTION message.count_changed();

-- A new announcement concerns everybody of its company; its readers ask whether it is for them.
CREATE FUNCTION message.announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('message', company_id || ':*') FROM (SELECT DISTINCT company_id FROM added WHERE ftype = 1) AS who;
  RETURN NULL;
END $$;
CREATE TRIGGER announce AFTER INSERT ON message.message REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION message.announce();
