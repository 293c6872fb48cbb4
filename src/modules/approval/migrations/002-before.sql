-- What was decided about before a returned document came straight back: { facts, amount }. Null for one that did not.
ALTER TABLE approval.instance ADD COLUMN before jsonb;
