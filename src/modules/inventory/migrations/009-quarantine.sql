-- Rows that could not be taken over are kept in one place for all reports: the marketplace module's quarantine.
DROP TABLE inventory.fact_quarantine;
