-- A purchase order may be several orders at the platform: of several sellers, in parts, or split by the platform itself.
-- What stands against ordering twice is no longer one row but the pieces: see trade_line.
DROP INDEX alibaba.trade_once;
CREATE INDEX trade_order ON alibaba.trade (company_id, order_id);

-- Orders that the platform made of one call share our number; a call that was not answered is one row.
ALTER TABLE alibaba.trade DROP CONSTRAINT trade_company_id_out_order_id_key;
CREATE UNIQUE INDEX trade_call ON alibaba.trade (company_id, out_order_id) WHERE platform_id IS NULL;
CREATE INDEX trade_number ON alibaba.trade (company_id, out_order_id);

-- The seller on the platform; his offers cannot be ordered together with another's. Empty: not known yet.
ALTER TABLE alibaba.offer_link ADD COLUMN seller text NOT NULL DEFAULT '';
ALTER TABLE alibaba.trade ADD COLUMN seller text NOT NULL DEFAULT '';

-- What of a line of the purchase order is in an order at the platform. Amounts in CNY.
CREATE TABLE alibaba.trade_line (
  company_id uuid NOT NULL,
  trade_id uuid NOT NULL,
  order_line_id uuid NOT NULL,
  product_id uuid NOT NULL,
  offer_id text NOT NULL,
  spec_id text NOT NULL,
  pieces_per_unit int NOT NULL CHECK (pieces_per_unit > 0),
  units int NOT NULL CHECK (units > 0),
  -- of the purchase order, its fees left out
  ordered numeric(18, 4) NOT NULL,
  -- as the platform has it
  amount numeric(18, 4),
  PRIMARY KEY (company_id, trade_id, order_line_id),
  FOREIGN KEY (company_id, trade_id) REFERENCES alibaba.trade ON DELETE CASCADE
);
CREATE INDEX trade_line_of ON alibaba.trade_line (company_id, order_line_id);
CALL kit.tenant_table('alibaba.trade_line');

-- Orders until now were whole ones: their lines are those of the purchase order, by the offers of their products.
INSERT INTO alibaba.trade_line (company_id, trade_id, order_line_id, product_id, offer_id, spec_id, pieces_per_unit, units, ordered)
SELECT t.company_id, t.id, l.id, l.product_id, k.offer_id, k.spec_id, k.pieces_per_unit, l.qty / k.pieces_per_unit, l.amount
  FROM alibaba.trade AS t
  JOIN purchase.order_line AS l ON l.company_id = t.company_id AND l.order_id = t.order_id AND NOT l.gift
  JOIN alibaba.offer_link AS k ON k.company_id = t.company_id AND k.supplier_id = t.supplier_id AND k.product_id = l.product_id
 WHERE l.qty >= k.pieces_per_unit;

-- What was asked for in the call that the order came of, as its lines were sent, and the purchase order's amount for all
-- of it: from it the lines are dealt out whenever the platform makes more orders of one.
ALTER TABLE alibaba.trade DROP COLUMN cargo;
ALTER TABLE alibaba.trade ADD COLUMN plan jsonb NOT NULL DEFAULT '[]';
ALTER TABLE alibaba.trade ADD COLUMN plan_amount numeric(18, 4) NOT NULL DEFAULT 0;
UPDATE alibaba.trade AS t
   SET plan_amount = t.order_amount,
       plan = (SELECT coalesce(jsonb_agg(jsonb_build_object('lineId', l.order_line_id, 'productId', l.product_id,
                        'offerId', l.offer_id, 'specId', l.spec_id, 'piecesPerUnit', l.pieces_per_unit, 'units', l.units,
                        'ordered', l.ordered::text, 'amount', NULL) ORDER BY l.order_line_id), '[]')
                 FROM alibaba.trade_line AS l WHERE l.company_id = t.company_id AND l.trade_id = t.id);
