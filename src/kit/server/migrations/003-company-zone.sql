-- The zone in which a company counts its days, as whoever keeps companies tells: read at the start of every transaction of it.
CREATE TABLE kit.company_zone (
  company_id uuid PRIMARY KEY,
  zone text NOT NULL
);
CALL kit.tenant_table('kit.company_zone');
