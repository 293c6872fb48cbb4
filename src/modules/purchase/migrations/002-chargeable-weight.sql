-- Freight may be shared by what the forwarder charges for: the greater of weight and volume.
ALTER TABLE purchase.purchase_order DROP CONSTRAINT purchase_order_fee_split_check,
  ADD CONSTRAINT purchase_order_fee_split_check CHECK (fee_split IN ('AMOUNT', 'QTY', 'WEIGHT', 'VOLUME', 'CHARGEABLE'));
ALTER TABLE purchase.landed_charge DROP CONSTRAINT landed_charge_split_check,
  ADD CONSTRAINT landed_charge_split_check CHECK (split IN ('AMOUNT', 'QTY', 'WEIGHT', 'VOLUME', 'CHARGEABLE'));
