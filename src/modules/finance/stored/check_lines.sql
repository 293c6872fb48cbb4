-- Refuses lines that are no double entry: too few, not in the currency's scale, not adding up to 0 in each currency, nor in
-- CNY where they have values. Currencies meet in EXCHANGE: what stands there has no value.
CREATE OR REPLACE FUNCTION finance.check_lines(lines jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bad record;
BEGIN
  SELECT x.c, x.a INTO bad FROM jsonb_to_recordset(lines) AS x(c text, a numeric)
   WHERE x.a = 0 OR x.a <> round(x.a, finance.scale(x.c)) LIMIT 1;
  IF FOUND THEN
    PERFORM finance.refuse('FN005', '请输入正确的金额');
  END IF;
  SELECT x.c, sum(x.a) AS rest INTO bad FROM jsonb_to_recordset(lines) AS x(c text, a numeric)
   GROUP BY x.c HAVING sum(x.a) <> 0 LIMIT 1;
  IF FOUND OR jsonb_array_length(lines) < 2 THEN
    RAISE EXCEPTION 'entries of a posting do not add up: %', bad USING ERRCODE = 'FN099';
  END IF;
  SELECT sum(CASE x.c WHEN 'CNY' THEN x.a ELSE x.v END) AS rest, bool_or(x.c <> 'CNY' AND x.v IS NULL) AS unknown INTO bad
    FROM jsonb_to_recordset(lines) AS x(b text, c text, a numeric, v numeric) WHERE x.b <> 'EXCHANGE' HAVING count(x.v) > 0;
  IF FOUND AND (bad.unknown OR bad.rest <> 0) THEN
    RAISE EXCEPTION 'values of a posting do not add up: %', bad USING ERRCODE = 'FN099';
  END IF;
END $$;

CALL kit.keep_function('finance.check_lines(jsonb)', 'erp_money');
