-- The calls of boxes: a call comes again whenever a consumer or a box starts anew, and then changes nothing.

ALTER TABLE device ADD COLUMN call bigint NOT NULL DEFAULT 0;  -- the box's latest; negative once it has ended
