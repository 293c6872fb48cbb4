-- Terms of overseas orders: a rule of Incoterms 2020 with its named place.
ALTER TABLE purchase.purchase_order
  ADD COLUMN incoterm text CHECK (incoterm IN ('EXW', 'FCA', 'FOB', 'CFR', 'CIF', 'CPT', 'CIP', 'DAP', 'DPU', 'DDP')),
  ADD COLUMN incoterm_place text NOT NULL DEFAULT '' CHECK (length(incoterm_place) <= 100),
  ADD CONSTRAINT incoterm_has_place CHECK ((incoterm IS NULL) = (incoterm_place = ''));

-- What customs are expected to take for a line: shares of its worth, or amounts in the order's currency that stand instead.
ALTER TABLE purchase.order_line
  ADD COLUMN duty_rate numeric(6, 4) NOT NULL DEFAULT 0 CHECK (duty_rate >= 0 AND duty_rate < 10),
  ADD COLUMN duty_amount numeric(18, 4) CHECK (duty_amount >= 0),
  ADD COLUMN import_vat_rate numeric(5, 4) NOT NULL DEFAULT 0 CHECK (import_vat_rate >= 0 AND import_vat_rate < 1),
  ADD COLUMN import_vat_amount numeric(18, 4) CHECK (import_vat_amount >= 0);

-- Import VAT that is deducted from what the company owes the state is no cost of the goods.
ALTER TABLE purchase.landed_charge
  ADD COLUMN recoverable numeric(18, 4) NOT NULL DEFAULT 0 CHECK (recoverable >= 0),
  DROP CONSTRAINT landed_charge_check,
  ADD CONSTRAINT landed_charge_whole CHECK (capitalised + expensed + recoverable = amount),
  DROP CONSTRAINT landed_charge_kind_check,
  ADD CONSTRAINT landed_charge_kind_check CHECK (kind IN ('FREIGHT', 'DUTY', 'IMPORT_VAT', 'OTHER')),
  DROP CONSTRAINT landed_charge_split_check,
  ADD CONSTRAINT landed_charge_split_check CHECK (split IN ('AMOUNT', 'QTY', 'WEIGHT', 'VOLUME', 'CHARGEABLE', 'TAX'));
