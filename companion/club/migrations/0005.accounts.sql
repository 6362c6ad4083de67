-- People had accounts; the director has one password, kept in a file.

DROP TABLE visit, person, change;
