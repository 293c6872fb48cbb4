-- Changes of one site go together: a feed takes in what is wished for until it is released, and no more than one of a site
-- is released within the pause that the configuration sets. From then on its messages stay as they are.
ALTER TABLE marketplace.feed
  ADD COLUMN gathering boolean NOT NULL DEFAULT false,
  -- leaves as soon as it may instead of when the pause is over
  ADD COLUMN urgent boolean NOT NULL DEFAULT false,
  ADD COLUMN released_at timestamptz,
  -- somebody has seen that it failed and leaves it so
  ADD COLUMN ignored_at timestamptz;
CREATE UNIQUE INDEX feed_gathering ON marketplace.feed (company_id, account_id, marketplace_id, feed_type, origin)
  WHERE gathering;
-- What keeps the next one waiting: released and not handed in, or handed in a moment ago.
CREATE INDEX feed_leaving ON marketplace.feed (company_id, account_id, feed_type)
  WHERE status IN ('planned', 'uploaded', 'submitting');
CREATE INDEX feed_left ON marketplace.feed (company_id, account_id, feed_type, submitted_at);
-- What failed as a whole or in part, for the list of failed work.
CREATE INDEX feed_trouble ON marketplace.feed (company_id, finished_at DESC)
  WHERE ignored_at IS NULL AND (status = 'failed' OR refused > 0);
CREATE INDEX feed_retry ON marketplace.feed (company_id, retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX notification_failed ON marketplace.notification (company_id, received_at DESC) WHERE state = 'failed';
