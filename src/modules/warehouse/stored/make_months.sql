-- Makes the partitions of the months from this one to three ahead; answers how many that were. Runs as the owner of the
-- tables; takes nothing from its caller.
CREATE OR REPLACE FUNCTION warehouse.make_months() RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  parent text;
  month date;
  name text;
  made int := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('warehouse.make_months', 0));
  FOREACH parent IN ARRAY ARRAY['stock_entry', 'layer_consumption'] LOOP
    FOR ahead IN 0..3 LOOP
      month := (date_trunc('month', kit.now()) + make_interval(months => ahead))::date;
      name := format('%s_%s', parent, to_char(month, 'YYYYMM'));
      CONTINUE WHEN to_regclass('warehouse.' || name) IS NOT NULL;
      EXECUTE format('CREATE TABLE warehouse.%I PARTITION OF warehouse.%I FOR VALUES FROM (%L) TO (%L)',
        name, parent, month || ' 00:00+00', (month + interval '1 month')::date || ' 00:00+00');
      EXECUTE format('CALL kit.tenant_table(%L, append_only => true)', 'warehouse.' || name);
      EXECUTE format('REVOKE ALL ON warehouse.%I FROM erp_app', name);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END $$;

REVOKE ALL ON FUNCTION warehouse.make_months FROM PUBLIC;
GRANT EXECUTE ON FUNCTION warehouse.make_months TO erp_app;

SELECT warehouse.make_months();
