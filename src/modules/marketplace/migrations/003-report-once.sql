-- A report is ordered once: before the call it is noted from when on, by the marketplace's clock, it may have been ordered,
-- and an order without an answer is looked for there before there is another one.
ALTER TABLE marketplace.report_request ADD COLUMN creating_since timestamptz;
ALTER TABLE marketplace.report_request ADD COLUMN creating_at timestamptz;
-- When the same window was last asked for before requested_at: Amazon cancels what is asked for again too soon.
ALTER TABLE marketplace.report_request ADD COLUMN asked_before timestamptz;
-- When Amazon had nothing for a window that nobody asks for again by itself: it counts as read, and is asked for once more.
ALTER TABLE marketplace.report_request ADD COLUMN empty_at timestamptz;
-- What its steps have used of the limits.
ALTER TABLE marketplace.report_request ADD COLUMN calls int NOT NULL DEFAULT 0;
ALTER TABLE marketplace.report_request ADD COLUMN throttled int NOT NULL DEFAULT 0;
