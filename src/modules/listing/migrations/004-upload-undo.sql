-- An upload can be undone; the log of prices stays, because it says what was seen.
CALL marketplace.undoable('listing.listing');
CALL marketplace.undoable('listing.snapshot');
CALL marketplace.undoable('listing.report_load');
