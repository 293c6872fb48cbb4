-- Decimal places in which a currency is settled.
CREATE OR REPLACE FUNCTION finance.scale(currency text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT CASE WHEN currency IN ('JPY', 'KRW', 'VND', 'CLP') THEN 0 ELSE 2 END $$;
