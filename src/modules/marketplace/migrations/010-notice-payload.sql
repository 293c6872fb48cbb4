-- What a notification says, kept where a module reads it: so that it can be dealt with once more.
ALTER TABLE marketplace.notification ADD COLUMN payload jsonb;
