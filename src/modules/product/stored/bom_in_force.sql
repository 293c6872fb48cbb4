-- The version of a product's list of parts that counts on a day: the newest of those in force. Returns its id.
CREATE OR REPLACE FUNCTION product.bom_in_force(company uuid, product uuid, day date) RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT b.id FROM product.bom AS b
    WHERE b.company_id = company AND b.product_id = product AND b.effective_from <= day
    ORDER BY b.version_no DESC LIMIT 1 $$;

GRANT EXECUTE ON FUNCTION product.bom_in_force TO erp_app;
