-- Every call to the marketplace, for two weeks. Neither tokens nor bodies are kept.
CREATE TABLE marketplace.api_call (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamptz NOT NULL,
  account_id uuid NOT NULL,
  operation text NOT NULL,
  method text NOT NULL,
  -- without its secrets
  path text NOT NULL,
  -- null: no answer came
  status int,
  ms int NOT NULL,
  request_id text,
  -- calls per second that the answer stated
  rate double precision,
  attempt int NOT NULL,
  problem text,
  PRIMARY KEY (company_id, id)
);
CREATE INDEX api_call_at ON marketplace.api_call (company_id, at DESC);
CREATE INDEX api_call_problem ON marketplace.api_call (company_id, at DESC) WHERE status IS NULL OR status >= 400;
CREATE INDEX api_call_old ON marketplace.api_call USING brin (at);
CALL kit.tenant_table('marketplace.api_call', open_to_system => true);
