-- A box that was removed: its games stay, no page lists it, and nothing is sent to it.

ALTER TABLE device ADD COLUMN removed boolean NOT NULL DEFAULT false;
