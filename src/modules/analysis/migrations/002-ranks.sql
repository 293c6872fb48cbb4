-- Ranks of the product among all of its wide group and its narrowest class: the newest reading, if it is of the last days, and
-- by how many places it stands behind the reading of the day before it and of a week before it: below zero is better.
ALTER TABLE analysis.listing_metric
  ADD COLUMN group_title text,
  ADD COLUMN group_rank int,
  ADD COLUMN group_move1 int,
  ADD COLUMN group_move7 int,
  ADD COLUMN class_title text,
  ADD COLUMN class_rank int,
  ADD COLUMN class_move1 int,
  ADD COLUMN class_move7 int,
  ADD COLUMN rank_day date,
  -- Days of cover as a whole number, ten to a day. Comparisons of numeric are not leakproof: under row-level security a filter by
  -- cover_days reads every row of the company, while one by whole numbers goes by the index.
  ADD COLUMN cover_tenths bigint GENERATED ALWAYS AS ((round(sellable / nullif(pool_daily, 0), 1) * 10)::bigint) STORED;
DROP INDEX analysis.listing_metric_cover;
CREATE INDEX listing_metric_cover ON analysis.listing_metric (company_id, cover_tenths, listing_id);
