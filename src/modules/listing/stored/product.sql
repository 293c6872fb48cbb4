-- Name and picture of what an account sells: for the product cells of other modules' lists. Join on all four keys.
CREATE OR REPLACE VIEW listing.product WITH (security_invoker = true) AS
  SELECT company_id, account_id, marketplace_id, seller_sku, coalesce(title, seller_sku) AS name, image_url AS image,
         asin, parent_asin, fnsku, fulfilled_by, state, search, id AS listing_id, price, currency, quantity,
         opened_at, product_type, sku_key, product_key
    FROM listing.listing;

GRANT SELECT ON listing.product TO erp_app;
