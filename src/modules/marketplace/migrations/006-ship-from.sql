-- Where goods leave for the marketplace's warehouses; lengths are those that the marketplace takes.
CREATE TABLE marketplace.ship_from_address (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  store_id uuid NOT NULL,
  -- '' for all sites of the store
  marketplace_id text NOT NULL DEFAULT '',
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 50),
  company_name text NOT NULL DEFAULT '' CHECK (length(company_name) <= 50),
  address_line1 text NOT NULL CHECK (length(address_line1) BETWEEN 1 AND 180),
  address_line2 text NOT NULL DEFAULT '' CHECK (length(address_line2) <= 60),
  district text NOT NULL DEFAULT '' CHECK (length(district) <= 50),
  city text NOT NULL CHECK (length(city) BETWEEN 1 AND 30),
  state text NOT NULL DEFAULT '' CHECK (length(state) <= 64),
  country_code text NOT NULL CHECK (length(country_code) = 2),
  postal_code text NOT NULL CHECK (length(postal_code) BETWEEN 1 AND 32),
  phone text NOT NULL CHECK (length(phone) BETWEEN 1 AND 20),
  email text NOT NULL DEFAULT '',
  is_default boolean NOT NULL DEFAULT false,
  disabled boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 0,
  updated_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  updated_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, store_id) REFERENCES marketplace.store,
  CHECK (NOT (is_default AND disabled))
);
CREATE UNIQUE INDEX ship_from_default ON marketplace.ship_from_address (company_id, store_id, marketplace_id)
  WHERE is_default;
CREATE UNIQUE INDEX ship_from_name ON marketplace.ship_from_address (company_id, store_id, marketplace_id, lower(name))
  WHERE NOT disabled;
CALL kit.tenant_table('marketplace.ship_from_address');
