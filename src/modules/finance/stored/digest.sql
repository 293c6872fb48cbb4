-- What makes a posting the same one when it is sent again.
CREATE OR REPLACE FUNCTION finance.digest(lines jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT md5(coalesce(string_agg(concat_ws(' ', x.b, x.c, trim_scale(x.a)), ',' ORDER BY x.b, x.c, x.a), ''))
     FROM jsonb_to_recordset(lines) AS x(b text, c text, a numeric) $$;
