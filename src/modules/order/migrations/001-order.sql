CALL kit.module_schema('order');

-- Amazon's orders as Amazon tells them, one row per order of a selling partner. The key names the selling partner and
-- not our store row, so that a store that is authorised again does not double its orders. Nothing here identifies a
-- buyer: country, state and the first three characters of the postal code are all that is kept of the address.
CREATE TABLE "order".amazon_order (
  company_id uuid NOT NULL,
  selling_partner_id text NOT NULL,
  amazon_order_id text NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_order_id text,
  sales_channel text,
  channel text NOT NULL CHECK (channel IN ('AMAZON', 'NON_AMAZON')),
  fulfilled_by text NOT NULL CHECK (fulfilled_by IN ('AMAZON', 'MERCHANT')),
  status text NOT NULL CHECK (status IN ('PENDING_AVAILABILITY', 'PENDING', 'UNSHIPPED', 'PARTIALLY_SHIPPED',
                                         'SHIPPED', 'CANCELLED', 'UNFULFILLABLE')),
  purchased_at timestamptz NOT NULL,
  -- calendar day of purchased_at in the marketplace's zone
  local_date date NOT NULL,
  last_updated_at timestamptz NOT NULL,
  earliest_ship_at timestamptz,
  latest_ship_at timestamptz,
  earliest_deliver_at timestamptz,
  latest_deliver_at timestamptz,
  delivered_at timestamptz,
  service_level text,
  programs text[] NOT NULL DEFAULT '{}',
  is_business boolean NOT NULL DEFAULT false,
  is_replacement boolean NOT NULL DEFAULT false,
  original_order_id text,
  buyer_cancel_requested boolean NOT NULL DEFAULT false,
  ship_country text,
  ship_state text,
  postal_prefix text CHECK (length(postal_prefix) <= 3),
  currency text NOT NULL,
  -- null while Amazon has not told a price: unknown is not 0
  item_amount numeric(18,4),
  discount_amount numeric(18,4),
  order_total numeric(18,4),
  quantity int NOT NULL,
  shipped_quantity int NOT NULL,
  line_count int NOT NULL,
  -- the line that lists show
  lead_sku text NOT NULL,
  packages jsonb NOT NULL DEFAULT '[]',
  source text NOT NULL CHECK (source IN ('api', 'report', 'upload')),
  -- of what was delivered; an equal delivery rewrites nothing
  row_hash uuid NOT NULL,
  remark text CHECK (length(remark) <= 500),
  tags text[] NOT NULL DEFAULT '{}',
  first_seen_at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, selling_partner_id, amazon_order_id)
);
-- The list in its own order, whole and by its usual narrowings; the order number makes the order of pages unique.
CREATE INDEX amazon_order_list ON "order".amazon_order
  (company_id, purchased_at DESC, amazon_order_id DESC, selling_partner_id DESC);
CREATE INDEX amazon_order_site ON "order".amazon_order
  (company_id, account_id, marketplace_id, purchased_at DESC, amazon_order_id DESC);
CREATE INDEX amazon_order_status ON "order".amazon_order
  (company_id, status, purchased_at DESC, amazon_order_id DESC);
CREATE INDEX amazon_order_updated ON "order".amazon_order (company_id, last_updated_at DESC);
-- Only the API tells a shipping deadline, so history from reports stays out of this one.
CREATE INDEX amazon_order_ship ON "order".amazon_order (company_id, latest_ship_at DESC)
  WHERE latest_ship_at IS NOT NULL;
CREATE INDEX amazon_order_day ON "order".amazon_order (company_id, account_id, marketplace_id, local_date);
CREATE INDEX amazon_order_number ON "order".amazon_order (company_id, amazon_order_id);
CALL kit.tenant_table('"order".amazon_order');
-- An upload is undone by orders, each with its lines.
CALL marketplace.undoable('"order".amazon_order', 'order', ARRAY['selling_partner_id', 'amazon_order_id']);

-- One line of an order. The key is Amazon's order item id, or 'r:<sku>#<n>' where a report has none: one order may
-- hold the same SKU twice. Site, day and instant stand here again so that SKU questions need no join to find rows.
CREATE TABLE "order".amazon_order_line (
  company_id uuid NOT NULL,
  selling_partner_id text NOT NULL,
  amazon_order_id text NOT NULL,
  item_key text NOT NULL,
  order_item_id text,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  purchased_at timestamptz NOT NULL,
  local_date date NOT NULL,
  seller_sku text NOT NULL,
  asin text,
  quantity int NOT NULL CHECK (quantity >= 0),
  -- the largest quantity that Amazon ever told: it zeroes lines that are cancelled
  first_quantity int NOT NULL CHECK (first_quantity >= 1),
  shipped_quantity int NOT NULL DEFAULT 0,
  currency text NOT NULL,
  unit_price numeric(18,4),
  -- unit price x quantity, before discount
  item_price numeric(18,4),
  -- stands in for item_price while the order is pending
  estimated_price numeric(18,4),
  shipping_price numeric(18,4),
  gift_wrap_price numeric(18,4),
  other_price numeric(18,4),
  item_tax numeric(18,4),
  shipping_tax numeric(18,4),
  gift_wrap_tax numeric(18,4),
  -- discounts are positive
  item_discount numeric(18,4),
  shipping_discount numeric(18,4),
  promotion_ids text[] NOT NULL DEFAULT '{}',
  cancel_reason text,
  source text NOT NULL CHECK (source IN ('api', 'report', 'upload')),
  -- the item that Amazon put in its place, or 'gone'; such a line counts nowhere
  superseded_by text,
  -- no foreign key: lines are written by one function only, together with their order, and a check row by row would
  -- take as long as the load itself
  PRIMARY KEY (company_id, selling_partner_id, amazon_order_id, item_key)
);
CREATE INDEX amazon_order_line_sku ON "order".amazon_order_line (company_id, seller_sku, purchased_at DESC);
CREATE INDEX amazon_order_line_asin ON "order".amazon_order_line (company_id, asin, purchased_at DESC);
CREATE INDEX amazon_order_line_day ON "order".amazon_order_line
  (company_id, account_id, marketplace_id, local_date, seller_sku);
CALL kit.tenant_table('"order".amazon_order_line');
CALL marketplace.undoable('"order".amazon_order_line', 'order', ARRAY['selling_partner_id', 'amazon_order_id']);

-- Every SKU that was ever sold, with the newest title: search by part of a SKU looks here, titles are kept once.
CREATE TABLE "order".sold_sku (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  seller_sku text NOT NULL,
  asin text,
  title text,
  source text NOT NULL CHECK (source IN ('api', 'report', 'upload')),
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, seller_sku)
);
CALL kit.tenant_table('"order".sold_sku');
CALL marketplace.undoable('"order".sold_sku');

-- Orders by marketplace day and by everything that the list filters at no cost: its counts and totals come from here.
CREATE TABLE "order".order_day (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  marketplace_id text NOT NULL,
  local_date date NOT NULL,
  status text NOT NULL,
  channel text NOT NULL,
  fulfilled_by text NOT NULL,
  is_business boolean NOT NULL,
  is_replacement boolean NOT NULL,
  currency text NOT NULL,
  orders int NOT NULL,
  quantity bigint NOT NULL,
  item_amount numeric(18,4) NOT NULL,
  discount_amount numeric(18,4) NOT NULL,
  order_total numeric(18,4) NOT NULL,
  PRIMARY KEY (company_id, account_id, marketplace_id, local_date, status, channel, fulfilled_by, is_business,
               is_replacement, currency)
);
CREATE INDEX order_day_date ON "order".order_day (company_id, local_date);
CALL kit.tenant_table('"order".order_day');

-- What changed on an order, by whom or from where. Never changed itself.
CREATE TABLE "order".order_change (
  company_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  selling_partner_id text NOT NULL,
  amazon_order_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT kit.now(),
  source text NOT NULL CHECK (source IN ('api', 'report', 'upload', 'user')),
  field text NOT NULL,
  old text,
  new text,
  actor_id uuid,
  actor_name text,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, selling_partner_id, amazon_order_id) REFERENCES "order".amazon_order
);
CREATE INDEX order_change_order ON "order".order_change (company_id, selling_partner_id, amazon_order_id, id);
CALL kit.tenant_table('"order".order_change', append_only => true);
CALL kit.data_scope_of('"order".order_change', '"order".amazon_order',
  '{selling_partner_id,amazon_order_id}', '{selling_partner_id,amazon_order_id}');

-- How far a search has come that the rate limit broke off: the next run goes on from its token, or, where it is null,
-- from the end of the search, which then is landed whole.
CREATE TABLE "order".search_progress (
  company_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- everything from here up to the search itself is landed
  covered_from timestamptz NOT NULL,
  window_from timestamptz NOT NULL,
  window_to timestamptz NOT NULL,
  marketplace_ids text[] NOT NULL,
  next_token text,
  at timestamptz NOT NULL DEFAULT kit.now(),
  PRIMARY KEY (company_id, account_id)
);
CALL kit.tenant_table('"order".search_progress');
