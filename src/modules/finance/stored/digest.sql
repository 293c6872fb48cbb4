-- What makes a posting the same one when it is sent again: books, accounts, currencies and amounts. Open items that come
-- to be with it have another id each time.
CREATE OR REPLACE FUNCTION finance.digest(lines jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT md5(coalesce(string_agg(concat_ws(' ', x.b, CASE WHEN x.b = 'ACCOUNT' THEN x.i END, x.c, trim_scale(x.a)), ','
              ORDER BY x.b, CASE WHEN x.b = 'ACCOUNT' THEN x.i END, x.c, x.a), ''))
     FROM jsonb_to_recordset(lines) AS x(b text, i uuid, c text, a numeric) $$;
