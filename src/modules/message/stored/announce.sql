-- A new announcement concerns everybody of its company; its readers ask whether it is for them.
CREATE OR REPLACE FUNCTION message.announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('message', company_id || ':*') FROM (SELECT DISTINCT company_id FROM added WHERE ftype = 1) AS who;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce AFTER INSERT ON message.message REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION message.announce();
