-- Keeps the images of a row that an upload writes, changes or deletes while it is loaded; app.upload_batch names its batch.
CREATE OR REPLACE FUNCTION marketplace.note_undo() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO marketplace.upload_undo (company_id, batch_id, relation, before, after)
  VALUES (kit.company(), current_setting('app.upload_batch')::uuid, format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME),
          CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END, CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END);
  RETURN NULL;
END $$;
