-- Limits that nobody publishes are felt out: when a bucket's rate was last moved by what it met. NULL: not yet.
ALTER TABLE marketplace.rate_bucket ADD COLUMN adapted_at timestamptz;
