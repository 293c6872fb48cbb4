-- Puts back what a batch changed, in the caller's transaction and with his rights. A row that differs from what the batch
-- left has been told by somebody else since: it stays, and its unit with it. Leaves in pg_temp.undone_row what was put
-- back, and returns how many rows that were and how many stayed.
CREATE OR REPLACE FUNCTION marketplace.undo_upload(batch uuid, OUT restored int, OUT kept int) LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  DROP TABLE IF EXISTS pg_temp.undo_relation, pg_temp.undo_net, pg_temp.undone_row;
  CREATE TEMP TABLE undo_relation ON COMMIT DROP AS
  SELECT u.relation, min(u.seq) AS seq, c.keys, c.columns,
         string_to_array(rtrim(encode(t.tgargs, 'escape'), '\000'), '\000') AS args
    FROM marketplace.upload_undo AS u
    JOIN pg_trigger AS t ON t.tgrelid = u.relation::regclass AND t.tgname = 'upload_undo'
   CROSS JOIN LATERAL (
     SELECT array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attnum = ANY (i.indkey)) AS keys,
            array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.attgenerated = '') AS columns
       FROM pg_attribute AS a JOIN pg_index AS i ON i.indrelid = a.attrelid AND i.indisprimary
      WHERE a.attrelid = t.tgrelid AND a.attnum > 0 AND NOT a.attisdropped) AS c
   WHERE u.company_id = kit.company() AND u.batch_id = batch
   GROUP BY u.relation, c.keys, c.columns, t.tgargs;

  -- What the batch did to each row on the whole: its first image against its last.
  CREATE TEMP TABLE undo_net (relation text, key text, unit text, before jsonb, after jsonb, stays boolean) ON COMMIT DROP;
  FOR r IN SELECT * FROM pg_temp.undo_relation LOOP
    INSERT INTO pg_temp.undo_net
    SELECT r.relation, n.key,
           CASE WHEN cardinality(r.args) > 0 THEN r.args[1] || (SELECT jsonb_agg(n.image -> c) FROM unnest(r.args[2:]) AS c)::text
                ELSE r.relation || n.key END,
           n.before, n.after, false
      FROM (SELECT k.key, (array_agg(u.before ORDER BY u.seq))[1] AS before,
                   (array_agg(u.after ORDER BY u.seq DESC))[1] AS after,
                   (array_agg(coalesce(u.after, u.before) ORDER BY u.seq))[1] AS image
              FROM marketplace.upload_undo AS u
             CROSS JOIN LATERAL (SELECT jsonb_agg(coalesce(u.after, u.before) -> c)::text AS key FROM unnest(r.keys) AS c) AS k
             WHERE u.company_id = kit.company() AND u.batch_id = batch AND u.relation = r.relation
             GROUP BY k.key) AS n
     WHERE n.before IS DISTINCT FROM n.after;
  END LOOP;
  ANALYZE pg_temp.undo_net;

  FOR r IN SELECT *, (SELECT string_agg(format('t.%1$I = x.%1$I', c), ' AND ') FROM unnest(keys) AS c) AS same
             FROM pg_temp.undo_relation LOOP
    EXECUTE format(
      'UPDATE pg_temp.undo_net AS n SET stays = true
        WHERE n.relation = $1 AND n.after IS DISTINCT FROM (
              SELECT to_jsonb(t) FROM jsonb_populate_record(NULL::%s, coalesce(n.after, n.before)) AS x JOIN %s AS t ON %s)',
      r.relation, r.relation, r.same) USING r.relation;
  END LOOP;
  UPDATE pg_temp.undo_net AS n SET stays = true
   WHERE NOT n.stays AND EXISTS (SELECT FROM pg_temp.undo_net AS o WHERE o.unit = n.unit AND o.stays);

  -- New rows go, those that point at others first; then the others come back.
  FOR r IN SELECT *, (SELECT string_agg(format('t.%1$I = x.%1$I', c), ' AND ') FROM unnest(keys) AS c) AS same
             FROM pg_temp.undo_relation ORDER BY seq DESC LOOP
    EXECUTE format(
      'DELETE FROM %1$s AS t USING pg_temp.undo_net AS n, jsonb_populate_record(NULL::%1$s, n.after) AS x
        WHERE n.relation = $1 AND NOT n.stays AND n.before IS NULL AND %2$s', r.relation, r.same) USING r.relation;
  END LOOP;
  FOR r IN SELECT *, (SELECT string_agg(format('t.%1$I = x.%1$I', c), ' AND ') FROM unnest(keys) AS c) AS same,
                  (SELECT string_agg(format('%1$I = x.%1$I', c), ', ') FROM unnest(columns) AS c) AS assigned,
                  (SELECT string_agg(format('%I', c), ', ') FROM unnest(columns) AS c) AS listed,
                  (SELECT string_agg(format('x.%I', c), ', ') FROM unnest(columns) AS c) AS values
             FROM pg_temp.undo_relation ORDER BY seq LOOP
    EXECUTE format(
      'UPDATE %1$s AS t SET %2$s FROM pg_temp.undo_net AS n, jsonb_populate_record(NULL::%1$s, n.before) AS x
        WHERE n.relation = $1 AND NOT n.stays AND n.before IS NOT NULL AND n.after IS NOT NULL AND %3$s',
      r.relation, r.assigned, r.same) USING r.relation;
    EXECUTE format(
      'INSERT INTO %1$s (%2$s) SELECT %3$s FROM pg_temp.undo_net AS n, jsonb_populate_record(NULL::%1$s, n.before) AS x
        WHERE n.relation = $1 AND NOT n.stays AND n.after IS NULL', r.relation, r.listed, r.values) USING r.relation;
  END LOOP;

  CREATE TEMP TABLE undone_row ON COMMIT DROP AS
  SELECT relation, before, after FROM pg_temp.undo_net WHERE NOT stays;
  SELECT count(*) FILTER (WHERE NOT stays), count(*) FILTER (WHERE stays) INTO restored, kept FROM pg_temp.undo_net;
END $$;
