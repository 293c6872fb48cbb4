-- Unique within the company, as every key is.
ALTER TABLE product.media DROP CONSTRAINT media_picture_key_key;
CREATE UNIQUE INDEX media_picture ON product.media (company_id, picture_key);

-- The level of a category's parent is written with the category, and held to what it has to be.
ALTER TABLE product.category ALTER COLUMN parent_level DROP EXPRESSION;
ALTER TABLE product.category ADD CHECK (parent_level IS NOT DISTINCT FROM CASE WHEN level = 2 THEN 1 END);

-- A product that would consume itself is refused by the server, with words.
ALTER TABLE product.consumable_use DROP CONSTRAINT consumable_use_check;
