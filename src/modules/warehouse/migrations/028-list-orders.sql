-- More orders in which people read a million rows: who holds most, and which pieces are oldest. The list asks for empty
-- values last, which an index read backwards does not give; an age is the distance of its day from any fixed one.
CREATE INDEX reservation_held ON warehouse.reservation (company_id, held DESC NULLS LAST, id DESC);
CREATE INDEX cost_layer_oldest ON warehouse.cost_layer
  (company_id, (DATE '2000-01-01' - original_date) DESC NULLS LAST, id DESC) WHERE open;
