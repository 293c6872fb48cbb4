-- How an order was sent, where somebody here had it sent: by Amazon out of FBA stock. A file of the platform's leaves it alone.
ALTER TABLE channel.platform_order
  ADD COLUMN carrier text,
  ADD COLUMN tracking_number text,
  ADD COLUMN shipped_at timestamptz;
