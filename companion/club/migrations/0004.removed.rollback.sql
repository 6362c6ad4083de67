ALTER TABLE device DROP COLUMN removed;
