-- Money of what Amazon offers was kept as numbers; it is decimal text now. jsonb writes numbers without an exponent, and
-- quotes within its texts with a backslash, so that nothing else looks like this.
UPDATE shipping.inbound
   SET packing = regexp_replace(packing::text, '"amount": (-?[0-9.]+)', '"amount": "\1"', 'g')::jsonb,
       placement = regexp_replace(placement::text, '"amount": (-?[0-9.]+)', '"amount": "\1"', 'g')::jsonb,
       transport = regexp_replace(transport::text, '"amount": (-?[0-9.]+)', '"amount": "\1"', 'g')::jsonb,
       ways = regexp_replace(ways::text, '"amount": (-?[0-9.]+)', '"amount": "\1"', 'g')::jsonb;
UPDATE shipping.inbound_shipment
   SET transport = regexp_replace(transport::text, '"amount": (-?[0-9.]+)', '"amount": "\1"', 'g')::jsonb;
