-- The lines of all games, as the boxes sent them, and what was refused.

CREATE TABLE device (
    device text PRIMARY KEY,
    number integer GENERATED ALWAYS AS IDENTITY UNIQUE,  -- for addresses of pages
    name text NOT NULL DEFAULT '',  -- the table's name for people; empty until box or director give one
    online boolean,                 -- the broker's word; NULL until it was heard
    status_at timestamptz,          -- when that changed last
    called_at timestamptz           -- when the table called the director; NULL if it does not
);

CREATE TABLE game (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device text NOT NULL REFERENCES device,
    name text NOT NULL,                -- the game's name in the journal of its box
    lines integer NOT NULL DEFAULT 0,  -- how many lines are stored without a gap, the header included
    most integer NOT NULL DEFAULT 0,   -- the highest number of a stored line, plus 1
    differs integer,                   -- the first line that came again with another content; the first content is kept
    first_at timestamptz NOT NULL DEFAULT now(),
    last_at timestamptz NOT NULL DEFAULT now(),  -- when a new line arrived last
    UNIQUE (device, name)
);

-- Without a foreign key: checking it takes as long as the insert, and only a locked row of game gets lines.
CREATE TABLE line (
    game bigint NOT NULL,
    number integer NOT NULL,  -- from 0, the header
    content bytea NOT NULL,   -- as it came, even if it is damaged
    PRIMARY KEY (game, number)
);

CREATE TABLE refused (
    device text NOT NULL,
    digest bytea NOT NULL,  -- SHA-256 of the content: a box sends a message again until it is acknowledged
    content bytea NOT NULL,
    why text NOT NULL,
    times integer NOT NULL DEFAULT 1,
    last_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (device, digest)
);

-- Computed from the lines, never the truth: it may be emptied at any time.
CREATE TABLE summary (
    game bigint PRIMARY KEY REFERENCES game,
    lines integer NOT NULL,   -- how many lines it was computed from
    program text NOT NULL,    -- the version that computed it
    kind text NOT NULL,       -- the game's name in its header; empty if the header is damaged
    title text NOT NULL,
    players text[] NOT NULL,
    totals bigint[] NOT NULL,
    over boolean NOT NULL,
    fault text NOT NULL,      -- why lines from a certain one on do not count; empty if all do
    result text               -- the result as companion.history keeps it, as JSON; NULL until the game is over
);
