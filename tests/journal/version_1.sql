PRAGMA application_id = 1415736387;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE games (
            number INTEGER PRIMARY KEY,
            header TEXT NOT NULL,
            tracking TEXT NOT NULL,
            over INTEGER NOT NULL DEFAULT 0 CHECK (over IN (0, 1)),
            begun REAL NOT NULL
        );
INSERT INTO "games" VALUES(1,'{"format":1,"game":"eternity","players":["Aki","Bea","Cyr","Dai"],"rules":{}}','full',1,1715979789.25);
INSERT INTO "games" VALUES(2,'{"format":1,"game":"gear","players":["Élodie","日和"],"rules":{}}','score only',0,0.0);
CREATE TABLE lines (
            game INTEGER NOT NULL REFERENCES games,
            sequence INTEGER NOT NULL CHECK (sequence > 0),
            line TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY (game, sequence)
        ) WITHOUT ROWID;
INSERT INTO "lines" VALUES(1,1,'{"play":"♥7"}',1715979791.0);
INSERT INTO "lines" VALUES(1,2,'{"play":"♣A"}',1715979792.0);
INSERT INTO "lines" VALUES(1,3,'{"undo":1}',1715979793.0);
INSERT INTO "lines" VALUES(2,1,'{"note":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}',12.0);
INSERT INTO "lines" VALUES(2,2,'{"note":"two\nlines"}',12.0);
CREATE TABLE setting (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
INSERT INTO "setting" VALUES('chosen language','fr');
INSERT INTO "setting" VALUES('chosen roster','Aki
Bea');
INSERT INTO "setting" VALUES('draft','2.2/12');
INSERT INTO "setting" VALUES('open_game',2);
COMMIT;
