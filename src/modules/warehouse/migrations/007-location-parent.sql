-- The place of a location in the tree is known by its parent alone.
ALTER TABLE warehouse.location DROP CONSTRAINT location_company_id_warehouse_id_parent_id_fkey;
ALTER TABLE warehouse.location ADD FOREIGN KEY (company_id, parent_id) REFERENCES warehouse.location;
