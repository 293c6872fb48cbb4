-- Rows of planning reports with the forecast that stands beside the newest of them.
CREATE OR REPLACE VIEW inventory.planning_seen WITH (security_invoker = true) AS
  SELECT p.*, a.per_day, a.estimated, a.next_day, a.next_qty, a.next_fee, a.half_fee, a.half_storage, a.supply_30,
         a.supply_90, a.low_band, a.low_fee, a.low_month, a.to_reach
    FROM inventory.planning_day AS p
    LEFT JOIN inventory.aging_forecast AS a
      ON a.company_id = p.company_id AND a.account_id = p.account_id AND a.day = p.day AND a.row_id = p.row_id;

GRANT SELECT ON inventory.planning_seen TO erp_app;
