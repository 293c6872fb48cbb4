-- What a listing offers beside its price, as the marketplace shows it: a price for some days of the site ({price, from, to}), the
-- price for businesses ({price}) and what they pay for many ({tiers: [{from, price}]}). NULL where there is none.
ALTER TABLE listing.listing
  ADD COLUMN sale jsonb,
  ADD COLUMN b2b jsonb,
  ADD COLUMN tiers jsonb;

-- Such changes go out one by one: a merge of the one part. The values are of the price that counts, the terms whole.
ALTER TABLE listing.offer_change
  ADD COLUMN old_terms jsonb,
  ADD COLUMN new_terms jsonb,
  ADD COLUMN write_id uuid,
  ADD COLUMN agreed_floor numeric(18,4),
  ALTER COLUMN feed_id DROP NOT NULL,
  ALTER COLUMN message_id DROP NOT NULL,
  ALTER COLUMN new_value DROP NOT NULL,
  DROP CONSTRAINT offer_change_kind_check,
  ADD CONSTRAINT offer_change_kind_check CHECK (kind IN ('price', 'quantity', 'sale', 'b2b', 'tiers')),
  ADD CONSTRAINT offer_change_way CHECK (num_nonnulls(feed_id, write_id) = 1),
  ADD CONSTRAINT offer_change_value CHECK (new_value IS NOT NULL OR kind IN ('sale', 'b2b', 'tiers'));
CREATE INDEX offer_change_write ON listing.offer_change (company_id, write_id) WHERE write_id IS NOT NULL;
