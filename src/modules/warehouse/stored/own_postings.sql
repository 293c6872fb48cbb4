-- The postings of the document that a posting belongs to. A document takes what is on its way from its own layers first:
-- two transfers of one product to one warehouse each keep the freight and the age of their own pieces, whichever of them
-- arrives first.
CREATE OR REPLACE FUNCTION warehouse.own_postings(company uuid, posting uuid) RETURNS uuid[] LANGUAGE sql STABLE AS $$
  SELECT array_agg(o.id)
    FROM warehouse.stock_posting AS p
    JOIN warehouse.stock_posting AS o ON o.company_id = p.company_id AND (o.source_type, o.source_id) = (p.source_type, p.source_id)
   WHERE p.company_id = company AND p.id = posting
$$;

CALL kit.keep_function('warehouse.own_postings(uuid,uuid)', 'erp_ledger');
