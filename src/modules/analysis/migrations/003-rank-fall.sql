-- By how much the ranks of a listing fell in a week, whichever fell more, in hundredths of a percent, rounded up, so that whoever asks
-- for more than thirty percent finds all of them. Whole numbers: row-level security lets them be found by the index.
ALTER TABLE analysis.listing_metric
  ADD COLUMN fall_bp bigint GENERATED ALWAYS AS (ceil(greatest(
    group_move7 * 10000.0 / nullif(group_rank - group_move7, 0),
    class_move7 * 10000.0 / nullif(class_rank - class_move7, 0)))::bigint) STORED;
CREATE INDEX listing_metric_fall ON analysis.listing_metric (company_id, fall_bp DESC NULLS LAST, listing_id DESC);
