-- Calls for who is no seller's account stand in the log too: their caller's name, as "1688 沙箱采购一号".
ALTER TABLE marketplace.api_call ADD COLUMN caller text;
