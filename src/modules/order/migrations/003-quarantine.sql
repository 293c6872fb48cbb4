-- What cannot be taken over is kept in one place for all sources: the marketplace module's quarantine.
DROP TABLE "order".order_quarantine;
