-- Flows approve changes of orders: one is written down, handed in, and may be taken back.
ALTER TABLE purchase.amendment DROP CONSTRAINT amendment_state_check,
  ADD CONSTRAINT amendment_state_check CHECK (state IN ('draft', 'pending', 'applied', 'rejected', 'void'));
