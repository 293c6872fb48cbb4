-- The same labels for label printers, 4 by 6 inches; null where Amazon has none for the shipment.
ALTER TABLE shipping.inbound_shipment
  ADD COLUMN thermal_file_id uuid,
  ADD FOREIGN KEY (company_id, thermal_file_id) REFERENCES kit.file;
