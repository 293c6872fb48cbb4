-- An upload can be undone.
CALL marketplace.undoable('inventory.fba_stock');
CALL marketplace.undoable('inventory.fba_stock_day');
CALL marketplace.undoable('inventory.fba_snapshot');
CALL marketplace.undoable('inventory.report_load');
CALL marketplace.undoable('inventory.ledger_event');
CALL marketplace.undoable('inventory.ledger_day');
CALL marketplace.undoable('inventory.customer_return');
CALL marketplace.undoable('inventory.reimbursement');
CALL marketplace.undoable('inventory.removal_line');
CALL marketplace.undoable('inventory.removal_parcel');
CALL marketplace.undoable('inventory.reserved_day');
CALL marketplace.undoable('inventory.storage_fee');
CALL marketplace.undoable('inventory.aged_fee');
CALL marketplace.undoable('inventory.fee_preview');
