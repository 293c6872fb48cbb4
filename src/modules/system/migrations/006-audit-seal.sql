-- Up to when every row of the operation log is certainly there: nobody who began earlier is still at work. Row ids hold
-- the time at which they were written, which lies after the beginning of their transaction.
CREATE FUNCTION system.audit_settled() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT CASE
    -- Sessions whose beginnings cannot be seen may be old; nothing works for half a day.
    WHEN bool_or(query = '<insufficient privilege>' OR state = 'disabled') THEN clock_timestamp() - interval '12 hours'
    ELSE least(min(xact_start), clock_timestamp()) - interval '1 second' END + kit.clock_shift()
    FROM pg_stat_activity WHERE datname = current_database()
$$;
REVOKE ALL ON FUNCTION system.audit_settled FROM PUBLIC;
GRANT EXECUTE ON FUNCTION system.audit_settled TO erp_app;

-- The smallest row id of an instant.
CREATE FUNCTION system.id_at(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (lpad(to_hex(greatest(0, floor(extract(epoch FROM at) * 1000))::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- Seals over the operation log, a chain per company. `links` holds 32 bytes per row: the keyed hash of the link before
-- and the row. The key lies outside the database.
CREATE TABLE system.audit_seal (
  company_id uuid NOT NULL,
  no int NOT NULL,
  ids uuid[] NOT NULL,
  links bytea NOT NULL,
  -- last link of the seal before; empty for the first
  before bytea NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (company_id, no)
);
CALL kit.tenant_table('system.audit_seal', append_only => true);

-- Results of checking the chain.
CREATE TABLE system.audit_check (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  is_whole boolean NOT NULL,
  checked bigint NOT NULL,
  problem text,
  audit_id uuid,
  asked_by_name text,
  PRIMARY KEY (company_id, id)
);
CALL kit.tenant_table('system.audit_check', append_only => true);
