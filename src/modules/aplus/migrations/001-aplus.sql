CALL kit.module_schema('aplus');

-- An A+ document: as Amazon has it, and as somebody here writes it. One that is here only has no key.
CREATE TABLE aplus.document (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  -- of Amazon's, who changes it now and then
  content_key text,
  name text NOT NULL,
  content_type text NOT NULL DEFAULT 'EBC',
  sub_type text,
  locale text,
  badges text[] NOT NULL DEFAULT '{}',
  -- what Amazon says, and what it means together with where it is published
  status text CHECK (status IN ('DRAFT', 'SUBMITTED', 'APPROVED', 'REJECTED')),
  state text NOT NULL DEFAULT 'LOCAL'
    CHECK (state IN ('LOCAL', 'DRAFT', 'SUBMITTED', 'APPROVED', 'PUBLISHED', 'SUSPENDED', 'REJECTED', 'GONE')),
  amazon_updated_at timestamptz,
  -- contentDocument as Amazon gives it; null where its API cannot, and why
  content jsonb,
  unreadable text,
  -- why it was rejected, by place
  reasons jsonb NOT NULL DEFAULT '[]',
  asin_count int NOT NULL DEFAULT 0,
  asins_at timestamptz,
  as_of timestamptz,
  suspended_at timestamptz,
  gone_at timestamptz,
  hidden_at timestamptz,
  -- what is written here on top of what Amazon had at `base_at`
  draft jsonb,
  base_at timestamptz,
  step text CHECK (step IN ('save', 'relate', 'submit', 'suspend')),
  write_id uuid,
  -- what the last step sends
  wish jsonb,
  problem text,
  -- what Amazon said of it when it was checked last
  issues jsonb NOT NULL DEFAULT '[]',
  version int NOT NULL DEFAULT 1,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE UNIQUE INDEX document_key ON aplus.document (company_id, account_id, marketplace_id, content_key);
CREATE INDEX document_list ON aplus.document (company_id, amazon_updated_at DESC NULLS FIRST, id DESC);
CREATE INDEX document_write ON aplus.document (company_id, write_id);
CALL kit.tenant_table('aplus.document');

CREATE TABLE aplus.document_asin (
  company_id uuid NOT NULL,
  document_id uuid NOT NULL,
  asin text NOT NULL,
  account_id uuid NOT NULL,
  badges text[] NOT NULL DEFAULT '{}',
  parent_asin text,
  title text,
  image text,
  PRIMARY KEY (company_id, document_id, asin),
  FOREIGN KEY (company_id, document_id) REFERENCES aplus.document ON DELETE CASCADE
);
CREATE INDEX document_asin_asin ON aplus.document_asin (company_id, asin);
CALL kit.tenant_table('aplus.document_asin');

-- Pictures of modules, each kept once for an account, and what it is called at Amazon's once it was sent.
CREATE TABLE aplus.picture (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  account_id uuid NOT NULL,
  file_id uuid NOT NULL,
  sha256 text NOT NULL,
  media_type text NOT NULL,
  width int NOT NULL,
  height int NOT NULL,
  destination text,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, account_id, sha256),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account,
  FOREIGN KEY (company_id, file_id) REFERENCES kit.file
);
CALL kit.tenant_table('aplus.picture');
