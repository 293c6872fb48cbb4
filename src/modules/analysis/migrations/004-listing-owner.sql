-- Who answers for a listing from which day on; nobody where owner_id is null. The first one whom a listing was given answers for
-- all that came before. Of several changes of a day the last one holds.
CREATE TABLE analysis.listing_owner (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  from_day date NOT NULL,
  -- in the order of the changes
  id uuid NOT NULL DEFAULT uuidv7(),
  owner_id uuid,
  changed_by_name text NOT NULL DEFAULT '',
  PRIMARY KEY (company_id, account_id, marketplace_id, seller_sku, from_day, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX listing_owner_day ON analysis.listing_owner (company_id, from_day);
CALL kit.tenant_table('analysis.listing_owner', append_only => true);
INSERT INTO analysis.listing_owner (company_id, account_id, marketplace_id, seller_sku, from_day, owner_id)
SELECT company_id, account_id, marketplace_id, seller_sku, '0001-01-01', owner_id FROM analysis.listing_care WHERE owner_id IS NOT NULL;
