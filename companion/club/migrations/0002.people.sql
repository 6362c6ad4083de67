-- People who may sign in, their visits, and everything that somebody has changed.

CREATE TABLE person (
    name text PRIMARY KEY,
    role text NOT NULL CHECK (role IN ('player', 'director')),
    salt bytea NOT NULL,
    password bytea NOT NULL  -- scrypt
);

CREATE TABLE visit (
    token bytea PRIMARY KEY,  -- SHA-256 of the cookie
    person text NOT NULL REFERENCES person ON DELETE CASCADE,
    until timestamptz NOT NULL
);

CREATE TABLE change (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL,
    what text NOT NULL,  -- a sentence
    device text,
    game bigint
);

CREATE TABLE correction (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL,
    game bigint NOT NULL REFERENCES game,
    entry integer NOT NULL,   -- the number of the first entry that it replaces
    was text[] NOT NULL,      -- the entries that it replaces, as JSON
    line text NOT NULL,       -- the line that corrects
    sentence text NOT NULL,   -- the same in words
    taken boolean,            -- the answer of the box; NULL until there is one
    answer text NOT NULL DEFAULT '',  -- why it was not taken
    answered_at timestamptz
);
CREATE INDEX ON correction (game);
