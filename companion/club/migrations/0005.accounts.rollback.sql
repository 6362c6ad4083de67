CREATE TABLE person (name text PRIMARY KEY, role text NOT NULL, salt bytea NOT NULL, password bytea NOT NULL);
CREATE TABLE visit (token bytea PRIMARY KEY, person text NOT NULL REFERENCES person ON DELETE CASCADE, until timestamptz NOT NULL);
CREATE TABLE change (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL, what text NOT NULL, device text, game bigint
);
