-- Audited fees, what was charged in fact, and the claim of their measurement.
CREATE OR REPLACE VIEW inventory.fee_audit_seen WITH (security_invoker = true) AS
  SELECT a.*,
         (SELECT string_agg(trim_scale(round(u.side, 2))::text, ' × ' ORDER BY u.place)
            FROM unnest(a.amazon_sides) WITH ORDINALITY AS u(side, place)) AS amazon_size,
         (SELECT string_agg(trim_scale(round(u.side, 2))::text, ' × ' ORDER BY u.place)
            FROM unnest(a.own_sides) WITH ORDINALITY AS u(side, place)) AS own_size,
         c.id AS claim_id, c.number AS claim_number, c.state AS claim_state
    FROM inventory.fee_audit AS a
    LEFT JOIN inventory.claim AS c
      ON c.company_id = a.company_id AND c.account_id = a.account_id AND c.type = 'FEE_OVERCHARGE'
     AND c.happening = a.happening;

GRANT SELECT ON inventory.fee_audit_seen TO erp_app;
