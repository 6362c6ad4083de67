"""What a formula of a game's file gives three seats, and what is wrong with formulas and files."""

from __future__ import annotations

from companion.core.text import Text
from companion.games.toml_games import GameFileError, declared
from companion.games.toml_games.formulas import Formula, Scope

from .edits import FOLDER, text_of

FIGURES = {"bid": (3, 0, 2), "tricks": (3, 1, 1), "round": (4, 4, 4)}
KNOWN = {**dict.fromkeys(FIGURES), "later": Text("later is not known yet here"), "double": None}


def formula_values(text: str | bytes) -> str:
    """Return what a formula gives each of three seats, of whom the first and the third are a side."""
    scope = Scope(3, lambda: (0, 1, 0), FIGURES.__getitem__, {"double": Formula("2*tricks")})
    return " ".join(str(Formula(str(text)).value(scope, seat)) for seat in range(3))


def formula_faults(text: str | bytes) -> str:
    """Return what is wrong with a formula, each fault with its column."""
    return " | ".join(f"{wrong.column}: {wrong.text}" for wrong in Formula(str(text)).wrong(KNOWN)) or "nothing"


def file_faults(said: str | bytes) -> str:
    """Return what is wrong with a file, each fault with its place."""
    return _faults(str(said), new=False)


def new_file_faults(said: str | bytes) -> str:
    """Return what is wrong with a file that was not there before."""
    return _faults(str(said), new=True)


def _faults(said: str, *, new: bool) -> str:
    """Return the faults of a text, or of a file with a change."""
    known = "\n" not in said and (FOLDER / f"{said.partition(' ')[0]}.toml").is_file()
    try:
        declared(text_of(said) if known else said, "", new=new)
    except GameFileError as caught:
        return " | ".join(line.removeprefix(":") for line in str(caught).splitlines())
    return "nothing"
