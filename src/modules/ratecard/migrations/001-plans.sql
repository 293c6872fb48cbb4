CALL kit.module_schema('ratecard');

-- What a company takes for granted when it reckons what a piece brings: freight, taxes and shares by country. `sites` as
-- contract/plans.ts describes it. A change raises the version; calculations that were kept hold a copy of what they used.
CREATE TABLE ratecard.plan (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  freight_by text NOT NULL CHECK (freight_by IN ('MANUAL', 'WEIGHT', 'VOLUME', 'GREATER')),
  sites jsonb NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 1,
  updated_by_name text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, name)
);
CREATE UNIQUE INDEX plan_default ON ratecard.plan (company_id) WHERE is_default;
CALL kit.tenant_table('ratecard.plan');

-- A calculation that somebody kept for a product, a row for each country. `calc_id` is one calculation; `input` is what was
-- typed in for it, from which it can be reckoned again.
CREATE TABLE ratecard.estimate (
  company_id uuid NOT NULL,
  calc_id uuid NOT NULL,
  country text NOT NULL,
  product_id uuid NOT NULL,
  plan_name text NOT NULL,
  -- day whose fees were taken
  day date NOT NULL,
  currency text NOT NULL,
  price numeric(18, 4) NOT NULL,
  profit numeric(18, 4) NOT NULL,
  margin numeric(20, 10),
  break_even numeric(18, 4),
  input jsonb NOT NULL,
  remark text NOT NULL,
  created_by_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, calc_id, country)
);
CREATE INDEX estimate_list ON ratecard.estimate (company_id, created_at DESC, calc_id DESC, country);
CREATE INDEX estimate_product ON ratecard.estimate (company_id, product_id, created_at DESC);
CALL kit.tenant_table('ratecard.estimate');
