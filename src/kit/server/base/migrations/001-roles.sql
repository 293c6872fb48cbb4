-- The role that the product works as: it owns nothing, so row-level security binds it.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'erp_app') THEN
    CREATE ROLE erp_app NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- two databases of one cluster being created at the same time
END $$;
DO $$
BEGIN
  EXECUTE format('GRANT erp_app TO %I', current_user);
END $$;
GRANT USAGE ON SCHEMA kit TO erp_app;
GRANT SELECT ON kit.migration TO erp_app;

-- Data rights below the company: transactions of people who may see some stores or warehouses only work as erp_scoped,
-- a role that these policies hold for. Everybody else works as erp_app and pays nothing for them.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'erp_scoped') THEN
    CREATE ROLE erp_scoped NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- two databases of one cluster being created at the same time
END $$;
DO $$
BEGIN
  GRANT erp_app TO erp_scoped;
  EXECUTE format('GRANT erp_scoped TO %I', current_user);
EXCEPTION WHEN unique_violation OR SQLSTATE 'XX000' THEN
  NULL; -- the same grant from a neighbouring database at the same moment
END $$;

-- What a change entails is done for the whole company, as erp_app, and finds the temporary tables that say what changed.
ALTER DEFAULT PRIVILEGES FOR ROLE erp_scoped GRANT ALL ON TABLES TO erp_app;

CREATE EXTENSION IF NOT EXISTS pg_trgm;
