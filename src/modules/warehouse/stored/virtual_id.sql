-- Id of a virtual warehouse of a company: known without a look-up, in the database and in server/ledger/wire.ts.
CREATE OR REPLACE FUNCTION warehouse.virtual_id(company uuid, code text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT md5(company::text || ':' || code)::uuid $$;
