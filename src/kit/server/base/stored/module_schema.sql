-- Opens a schema to the application role; what is in it is granted table by table.
CREATE OR REPLACE PROCEDURE kit.module_schema(schema_name text) LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE SCHEMA %I', schema_name);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO erp_app', schema_name);
END $$;
