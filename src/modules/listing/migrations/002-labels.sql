-- FNSKU labels that were printed: a row for each listing of a print. It says what stood on them, whatever the listing says later.
CREATE TABLE listing.label_print (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- all that came out of the printer at once
  job_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  fnsku text NOT NULL,
  asin text,
  title text NOT NULL DEFAULT '',
  image text,
  condition text,
  copies int NOT NULL CHECK (copies BETWEEN 1 AND 10000),
  layout text NOT NULL,
  -- the print that this one repeats, and why
  reprint_of uuid,
  reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 200),
  created_by uuid,
  created_by_name text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT kit.now(),
  -- no key to the listing: one that came by an upload which is undone goes, and its labels stick on the pieces all the same
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, account_id) REFERENCES marketplace.seller_account
);
CREATE INDEX label_print_list ON listing.label_print (company_id, created_at DESC, id DESC);
CREATE INDEX label_print_site ON listing.label_print (company_id, account_id, marketplace_id);
CALL kit.tenant_table('listing.label_print', append_only => true);
